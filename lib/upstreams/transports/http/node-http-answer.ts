/** What comes of one HTTP exchange. `onEnd` or `onError` is the last call, and the only one of its kind. */
export interface AnswerReader {
  onHead(head: AnswerHead): void;
  /** A piece of the body. */
  onData(bytes: Buffer): void;
  /** The answer is complete. */
  onEnd(): void;
  onError(error: NodeJS.ErrnoException): void;
}

export interface AnswerHead {
  readonly status: number;
  /** By name in lower case; the values of a header that came twice are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>;
}

export const noAnswerCode = 'ERR_HTTP_ANSWER';

/** @param reason continues "it is no HTTP answer: ". */
export function noAnswer(reason: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`It is no HTTP answer: ${reason}.`), { code: noAnswerCode });
}
