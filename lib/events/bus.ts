/**
 * News inside one service and between processes that share a database. Names only: whoever is interested
 * reads the rest from its source of truth (file or row), so a lost or doubled message is harmless.
 */
export type News =
  /** The group's file appeared, changed, broke, was repaired or went away. */
  | { readonly type: 'group'; readonly name: string }
  /** The server's registration or its stored tools changed (also: it was removed). */
  | { readonly type: 'tools'; readonly name: string }
  /** The server's connection changed its state. Differs between processes, so it never leaves this one. */
  | { readonly type: 'server'; readonly name: string }
  /** A provision of this name began or ended. Never leaves this process. */
  | { readonly type: 'provision'; readonly name: string }
  /** The MCP session ended (DELETE or expiry). `name` is its id. */
  | { readonly type: 'session_closed'; readonly name: string };

export interface Bus {
  /** Tells the subscribers of this process at once, and other processes within a second. Never throws. */
  publish(news: News): void;
  /** @param origin `remote`: another process published it; its copy in our memory is stale. */
  subscribe(handler: (news: News, origin: 'local' | 'remote') => void): Unsubscribe;
  /** Runs when news of other processes may have been missed: reload what is cached from the database. */
  onGap(handler: () => void): Unsubscribe;
}

export type Unsubscribe = () => void;
