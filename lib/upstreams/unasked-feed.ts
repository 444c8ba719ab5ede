import type { UnaskedNotification } from './server-news.ts';

/** Hands on what servers tell outside of any call. `sessionId`: it is for this session alone. */
export interface UnaskedFeed {
  tell: UnaskedListener;
  listen(listener: UnaskedListener): void;
}

export type UnaskedListener = (
  server: string,
  notification: UnaskedNotification,
  sessionId: string | undefined,
) => void;

/** Servers are there before those who listen to them. */
export function createUnaskedFeed(): UnaskedFeed {
  const listeners: UnaskedListener[] = [];
  return {
    tell(server, notification, sessionId) {
      for (const listener of listeners) listener(server, notification, sessionId);
    },
    listen: (listener) => void listeners.push(listener),
  };
}
