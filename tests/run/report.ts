/**
 * What a test file's child process tells its parent. A file is through when `end` arrived; `free` follows where
 * nothing is left of it and the process takes another.
 */
export type Report =
  | {
      readonly kind: 'suite';
      /** Printed failures of the suite; empty when no test failed. */
      readonly errors: string;
      /** Tests that passed. Skipped ones are in neither `ran` nor `total`. */
      readonly ran: number;
      readonly skipped: number;
      readonly total: number;
    }
  | { readonly kind: 'suite-threw'; readonly error: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'free' };

/** The judgement on one test file. */
export interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** One readable text per thing that is wrong; empty when nothing failed. */
  readonly problems: readonly string[];
  /** What the file wrote, stdout and stderr mixed. */
  readonly output: string;
  readonly milliseconds: number;
}
