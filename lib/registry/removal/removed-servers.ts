/**
 * On record: the origins of servers that were removed while groups had them ticked. Their names are free, but agents
 * of those groups would call whoever comes next under them.
 */
export interface RemovedServers {
  /** Hash of the origin (`server-origin.ts`), '' where nobody knew it; undefined: none is on record. */
  originOf(server: string): Promise<string | undefined>;
  /** Replaces what was on record. */
  keep(server: string, origin: string): Promise<void>;
  forget(server: string): Promise<void>;
}
