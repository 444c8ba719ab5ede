import type { CancelSignal } from '../../async/cancellation.ts';
import type { RawAnswer } from '../../json-rpc/raw-answer.ts';
import type { Capabilities } from '../../sessions/client-requests/client-capabilities.ts';
import type { UnsolicitedNotification } from '../multiplexer/receiver.ts';

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

/** Hands on what servers tell and ask outside of any call. */
export interface NotificationFeed {
  publish: NotificationListener;
  listen(listener: NotificationListener): void;
  ask: SessionClients['ask'];
  /** Until it is called, nobody can be asked. */
  answerBy(asker: SessionClients['ask']): void;
}

/** @param sessionId it is for this session alone. */
export type NotificationListener = (
  server: string,
  notification: UnsolicitedNotification,
  sessionId: string | undefined,
) => void;

/** Servers are there before those who listen to them. */
export function createNotificationFeed(): NotificationFeed {
  const listeners: NotificationListener[] = [];
  let asker: SessionClients['ask'] = async () => notAskable;
  return {
    publish(server, notification, sessionId) {
      for (const listener of listeners) listener(server, notification, sessionId);
    },
    listen: (listener) => void listeners.push(listener),
    ask: (question) => asker(question),
    answerBy(given) {
      asker = given;
    },
  };
}
