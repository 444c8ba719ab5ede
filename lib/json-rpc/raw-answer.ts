/** What the server answered, as raw JSON text of the `result` or `error` member. */
export type RawAnswer =
  | {
      readonly result: string;
      /** The tool says that it failed; told only of long results, which nobody wants to search for it. */
      readonly isError?: boolean;
    }
  | { readonly error: string };
