import type { ServerConfig } from '../config/server-config.ts';

/**
 * Servers and their tools as this process knows them: a copy in memory of what is stored in the database, so
 * that lists are served with every upstream, and the database, down. Reads never wait.
 */
export interface StoredTool {
  readonly server: string;
  /** The server's own name for it. */
  readonly name: string;
  /** `{server}__{tool}`. */
  readonly fullName: string;
  /** The definition exactly as the server listed it: raw JSON text, `name` still the server's own. */
  readonly definition: string;
  /** The definition as agents get it: repaired where the revision's types refuse it, else the same string as `definition`. */
  readonly shown: string;
  /** SHA-256 (hex) of `definition`, the server's own; tells whether a tool changed. */
  readonly hash: string;
  readonly description: string;
  readonly firstListedAt: Date;
}

export interface StoredServer {
  readonly name: string;
  readonly config: ServerConfig;
  /** In the server's order. Empty while it was never reached. */
  readonly tools: readonly StoredTool[];
  /** Listed by the server, with a definition that agents cannot be given: in no list, and not to be called. */
  readonly leftOut: readonly LeftOutTool[];
  /** All that the server lists, those among them; what is compared to tell whether its list changed. */
  readonly listed: ToolListing;
  /** What is wrong with the tools that it lists, in whole sentences. */
  readonly problems: readonly string[];
}

export interface LeftOutTool {
  readonly fullName: string;
  /** A whole sentence, which names the tool. */
  readonly why: string;
}

/** A tool as its server listed it, before it is stored. */
export interface ListedTool {
  readonly name: string;
  readonly definition: string;
}

/** All tools of a server, in its order. */
export interface ToolListing extends ReadonlyArray<ListedTool> {
  /** What could not be taken into it at all, in whole sentences. */
  readonly problems?: readonly string[];
}

export interface Catalog {
  /** True once the stored servers were read after start. */
  isLoaded(): boolean;
  /** Reads everything from the database. Called at start and after a gap in the news. */
  load(): Promise<void>;
  /** By name. */
  servers(): readonly StoredServer[];
  server(name: string): StoredServer | undefined;
  tool(fullName: string): StoredTool | undefined;
  /** All tools of all servers, by full name. */
  tools(): readonly StoredTool[];
  /** Writes the server and, when given, its whole tool list; publishes `tools` when anything changed. */
  store(config: ServerConfig, tools?: ToolListing): Promise<StoredServer>;
  remove(name: string): Promise<void>;
  /**
   * The removal of the server begins: it has no tools any more, in the lists of every process, and is on record until
   * `endWithdrawal` (or until it is stored anew), so that a removal that is cut short is found. Resolves with the way
   * back, which works without the database too.
   */
  withdraw(name: string): Promise<() => Promise<void>>;
  /** Strikes the record out; what is stored of the server, if anything, is listed again. */
  endWithdrawal(name: string): Promise<void>;
  /** The servers on record, here or in other processes, living ones or not. */
  withdrawn(): Promise<readonly string[]>;
}
