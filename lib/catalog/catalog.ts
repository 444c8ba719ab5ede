import { canonicalText } from '../config/parse-server-config.ts';
import type { ServerConfig } from '../config/server-config.ts';

/**
 * Servers and their tools as this process knows them: a copy in memory of the stored rows, so that lists are served
 * with every upstream, and the database, down. Reads never wait.
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
  /** SHA-256 (hex) of `definition`, the server's own; another one means that the tool changed. */
  readonly hash: string;
  readonly description: string;
  readonly firstListedAt: Date;
}

export interface StoredServer {
  readonly name: string;
  readonly config: ServerConfig;
  /** In the server's order. Empty until the server is reached for the first time. */
  readonly tools: readonly StoredTool[];
  /** Listed by the server with a definition that clients would refuse: in no list, and not to be called. */
  readonly leftOut: readonly LeftOutTool[];
  /** All tools that the server lists, left out or not; compared to find changes. */
  readonly listed: ToolListing;
  /** What is wrong with the listed tools, in whole sentences. */
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
  /** What the server listed and this listing leaves out, in whole sentences. */
  readonly problems?: readonly string[];
}

export interface Catalog {
  /** True once the stored servers were read after start. */
  isLoaded(): boolean;
  /** Reads everything from the database. Called at start and after a gap in the bus messages. */
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
   * Begins the removal of a server: takes its tools out of the lists of every process and records the removal until
   * `endWithdrawal` (or until the server is stored again), so that a removal that is cut short is found. Resolves with the
   * function that undoes this, which works without the database too.
   */
  withdraw(name: string): Promise<() => Promise<void>>;
  /** Deletes the record; a server that is still stored is listed again. */
  endWithdrawal(name: string): Promise<void>;
  /** The servers with a removal on record, of all processes, ended ones too. */
  withdrawn(): Promise<readonly string[]>;
}

export function isSameServer(one: StoredServer | undefined, other: StoredServer | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    canonicalText(one.config) === canonicalText(other.config) && isSameToolList(one.listed, other.listed)
  );
}

export function isSameToolList(one: ToolListing, other: ToolListing): boolean {
  return (
    one.problems?.join('\n') === other.problems?.join('\n') &&
    one.length === other.length &&
    one.every((tool, at) => tool.name === other[at]?.name && tool.definition === other[at]?.definition)
  );
}
