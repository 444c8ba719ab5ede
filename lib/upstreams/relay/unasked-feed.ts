import type { UnaskedNotification } from '../multiplexer/server-news.ts';
import { notAskable, type SessionClients } from '../sessions/session-clients.ts';

/** Hands on what servers tell and ask outside of any call. */
export interface UnaskedFeed {
  tell: UnaskedListener;
  listen(listener: UnaskedListener): void;
  ask: SessionClients['ask'];
  /** Until it is called, nobody can be asked. */
  answerBy(asker: SessionClients['ask']): void;
}

/** @param sessionId it is for this session alone. */
export type UnaskedListener = (
  server: string,
  notification: UnaskedNotification,
  sessionId: string | undefined,
) => void;

/** Servers are there before those who listen to them. */
export function createUnaskedFeed(): UnaskedFeed {
  const listeners: UnaskedListener[] = [];
  let asker: SessionClients['ask'] = async () => notAskable;
  return {
    tell(server, notification, sessionId) {
      for (const listener of listeners) listener(server, notification, sessionId);
    },
    listen: (listener) => void listeners.push(listener),
    ask: (question) => asker(question),
    answerBy(given) {
      asker = given;
    },
  };
}
