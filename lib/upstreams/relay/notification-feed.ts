import type { UnsolicitedNotification } from '../multiplexer/server-notifications.ts';
import { notAskable, type SessionClients } from '../sessions/session-clients.ts';

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
