/**
 * What servers offer besides tools: prompts, resources, resource templates, and what else they can do. A copy in
 * memory of what is stored, so that lists are served with every server, and the database, down. Reads never wait.
 */
export interface ServerFeature {
  /** What it is asked for by: a prompt's name, a resource's URI, a template's text. */
  readonly key: string;
  /** Raw JSON text: as the server listed it where it is stored, and as agents get it where it is read. */
  readonly definition: string;
}

export interface ServerFeatures {
  /** The `capabilities` of its `initialize` result, raw JSON text. */
  readonly capabilities: string;
  readonly instructions: string | undefined;
  /** In the server's order, as the two below. */
  readonly prompts: readonly ServerFeature[];
  readonly resources: readonly ServerFeature[];
  readonly templates: readonly ServerFeature[];
  /** What could not be taken into these lists at all, in whole sentences. */
  readonly problems?: readonly string[];
}

export interface FeatureCatalog {
  /** Undefined: it was never reached, or is not registered. */
  of(server: string): ServerFeatures | undefined;
  /** What is wrong with what it offers, in whole sentences. */
  problems(server: string): readonly string[];
  /** Reads everything from the database. Called at start; after a gap in the news it happens by itself. */
  load(): Promise<void>;
  /**
   * Takes what a connection listed; publishes `offers` when that is a change. Tries again while the database is away,
   * unless something newer comes meanwhile. Never rejects.
   */
  store(server: string, features: ServerFeatures): Promise<void>;
  /** Gives up what still waits to be stored. */
  close(): void;
}

/** What a server said it can do, as far as we must know (mcp-spec rule 24). */
export interface ServerCapabilities {
  readonly tools: boolean;
  readonly prompts: boolean;
  readonly resources: boolean;
  readonly subscribe: boolean;
  readonly completions: boolean;
  readonly logging: boolean;
}

/** @param capabilities Raw JSON text; anything but an object is a server that can do nothing. */
export function readCapabilities(capabilities: string): ServerCapabilities {
  const value: { [name: string]: unknown; resources?: { subscribe?: unknown } } =
    JSON.parse(capabilities) ?? {};
  const has = (name: string) => value[name] != null && value[name] !== false;
  return {
    tools: has('tools'),
    prompts: has('prompts'),
    resources: has('resources'),
    subscribe: value.resources?.subscribe === true,
    completions: has('completions'),
    logging: has('logging'),
  };
}
