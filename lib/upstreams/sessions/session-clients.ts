import type { CancelSignal } from '../../async/cancellation.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { Capabilities } from '../../sessions/client-requests/client-requests.ts';

/** The clients behind sessions, as far as a connection that serves one session alone has to know them. */
export interface SessionClients {
  /** What the client declared; undefined when the session is gone. Rejects with `database_unavailable`. */
  capabilitiesOf(sessionId: string): Promise<Capabilities | undefined>;
  /** Asks it outside of any call, through whichever process it listens; never rejects. */
  ask(question: OutsideQuestion): Promise<RawAnswer>;
}

export interface OutsideQuestion {
  /** Who asks. */
  readonly server: string;
  readonly sessionId: string;
  readonly method: string;
  /** Raw JSON text. */
  readonly params: string;
  readonly signal: CancelSignal;
  /** For how long it waits for a stream of the client, ms. */
  readonly unreadMs: number;
}

export const notAskable: RawAnswer = {
  error: '{"code":-32601,"message":"The client of this request cannot be asked."}',
};
