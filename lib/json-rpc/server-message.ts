import type { JsonExcess } from '../json/json-judge.ts';

/** What a server sent as one message: text that may be anything, or a long one that was judged as it arrived. */
export type ServerMessage = string | JudgedMessage;

/** One JSON object, found to be valid. Its members are raw JSON text, of doubled ones the last. */
export interface JudgedMessage {
  readonly text: string;
  /** The limit it is beyond, if it is; only `id` and `method` are known then. */
  readonly excess: MessageExcess | undefined;
  readonly id: string | undefined;
  readonly method: string | undefined;
  readonly params: string | undefined;
  readonly result: string | undefined;
  readonly error: string | undefined;
  /** The result says that the tool failed. */
  readonly isError: boolean;
  readonly elements: number;
}

/** `call-…`: of a request or a notification, which have bounds of their own. */
export type MessageExcess = JsonExcess | 'call-length' | 'call-elements';
