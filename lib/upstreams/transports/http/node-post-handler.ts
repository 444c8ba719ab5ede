import type { ServerMessage } from '../../../json-rpc/server-messages.ts';
import type { SendProblem } from '../transport.ts';
import type { StreamPosition } from './node-answer-readers.ts';

export type MessageTaker = (message: ServerMessage) => void;

/** Hears of what becomes of one POST to a server over Streamable HTTP. */
export interface PostHandler {
  /** Of the request that is posted, if it is one. */
  readonly requestId?: number;
  /** Instead of the messages' going to the connection at large. */
  readonly onMessage?: MessageTaker;
  /** The server has begun to answer. */
  readonly onTaken?: () => void;
  /** The exchange is over; should no message have come in it, this is why. */
  onUnanswered(problem: SendProblem, position?: StreamPosition): void;
  /** There was no exchange. */
  onFailed(error: NodeJS.ErrnoException): void;
  onOver(): unknown;
}
