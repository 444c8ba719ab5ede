/**
 * Messages within one process and between processes that share a database. Names only: a subscriber reads the rest from
 * its source of truth (file or row), so a lost or doubled message is harmless.
 */
export type BusMessage =
  /** The group's file appeared, changed, broke, was repaired or went away. */
  | { readonly type: 'group'; readonly name: string }
  /** The row with the copy of the group's file was written or deleted. */
  | { readonly type: 'group_copy'; readonly name: string }
  /** The server's registration or its stored tools changed (also: it was removed). */
  | { readonly type: 'tools'; readonly name: string }
  /** The server was restarted on request. */
  | { readonly type: 'restart'; readonly name: string }
  /** The server's connection changed its state. Differs between processes, and never leaves this one. */
  | { readonly type: 'server'; readonly name: string }
  /** A newer image for this server came, changed or went. */
  | { readonly type: 'image_offer'; readonly name: string }
  /** A provision of this name began or ended. Never leaves this process. */
  | { readonly type: 'provision'; readonly name: string }
  /** The MCP session ended (DELETE or expiry). `name` is its id. */
  | { readonly type: 'session_closed'; readonly name: string }
  /** The session's row changed: its log level, or what it is subscribed to. */
  | { readonly type: 'session_changed'; readonly name: string }
  /** The server's features (prompts, resources, templates) were stored anew. */
  | { readonly type: 'offers'; readonly name: string }
  /** A resource that sessions may be subscribed to changed. `name`: `<server> <session id or nothing> <uri>`. */
  | { readonly type: 'resource_updated'; readonly name: string }
  /** The client cancelled a request that another process may be working on. `name`: `<session id> <request id>`. */
  | { readonly type: 'cancelled'; readonly name: string }
  /** A stream whose reader is elsewhere has more events in the log. `name`: the stream's id. */
  | { readonly type: 'stream'; readonly name: string }
  /** An elicitation by URL is complete. `name`: `<session id> <elicitation id>`. */
  | { readonly type: 'elicitation_complete'; readonly name: string }
  /** A request waits for the session's client, which has no stream in the process that asks. `name`: the session's id. */
  | { readonly type: 'client_request'; readonly name: string }
  /** The client of the session has other roots. `name`: the session's id. */
  | { readonly type: 'roots_changed'; readonly name: string }
  /** The client answered a server's request. `name`: the id that the request had towards the client. */
  | { readonly type: 'client_answer'; readonly name: string };

export interface Bus {
  /** Delivers to subscribers in this process at once, and to other processes within a second. Never throws. */
  publish(busMessage: BusMessage): void;
  /** Resolves when other processes received all that was published, or after `mostMs`. Absent: there are none. */
  flush?(mostMs: number): Promise<void>;
  /** @param origin `remote`: another process published it; its copy in our memory is stale. */
  subscribe(handler: (busMessage: BusMessage, origin: 'local' | 'remote') => void): Unsubscribe;
  /** Runs when messages of other processes may have been missed: reload what is cached from the database. */
  onGap(handler: () => void): Unsubscribe;
}

export type Unsubscribe = () => void;
