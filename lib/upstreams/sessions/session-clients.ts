import type { CancelSignal } from '../../async/cancellation.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { Capabilities } from '../../sessions/client-requests/client-requests.ts';

/** The clients behind sessions, as far as connections have to know them outside of calls. */
export interface SessionClients {
  /** The declared capabilities; undefined when the session is gone. Rejects with `database_unavailable`. */
  capabilitiesOf(sessionId: string): Promise<Capabilities | undefined>;
  /** Asks the client outside of any call, through whichever process it listens to; never rejects. */
  ask(question: OutsideQuestion): Promise<RawAnswer>;
}

export interface OutsideQuestion {
  readonly server: string;
  readonly sessionId: string;
  readonly method: string;
  /** Raw JSON text. */
  readonly params: string;
  readonly signal: CancelSignal;
  /** How long the question waits for a stream of the client, ms. */
  readonly unreadMs: number;
}

export const notAskable: RawAnswer = {
  error: '{"code":-32601,"message":"The client of this request cannot be asked."}',
};

export interface UnsolicitedNotification {
  readonly method: string;
  /** The whole message as it came. */
  readonly text: string;
  /** The one session that it is for; absent: all sessions. */
  readonly sessionId?: string | undefined;
}

/** Passes on the notifications and questions of servers that belong to no call. */
export interface NotificationFeed {
  publish: NotificationListener;
  listen(listener: NotificationListener): void;
  ask: SessionClients['ask'];
  /** Clients can be asked from now on. */
  answerBy(asker: SessionClients['ask']): void;
}

/** @param sessionId The one session that the notification is for. */
export type NotificationListener = (
  server: string,
  notification: UnsolicitedNotification,
  sessionId: string | undefined,
) => void;

/** Exists because servers are created before their listeners. */
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
