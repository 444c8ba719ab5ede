import { createHash } from 'node:crypto';
import type { Catalog, ListedTool, StoredServer, ToolListing } from '../../lib/catalog/catalog.ts';
import { createCatalogIndex } from '../../lib/catalog/database-catalog.ts';
import {
  createToolJudge,
  type JudgedTools,
  judgeTools,
  noTools,
  type ToolFacts,
} from '../../lib/catalog/tool-judge.ts';
import { parseServerConfig } from '../../lib/config/parse-server-config.ts';
import type { ServerConfig } from '../../lib/config/server-config.ts';
import type { Bus } from '../../lib/events/bus.ts';

/** A tool's definition: its raw JSON text, or only its name. */
export type ToolDefinition = string;

export interface MemoryCatalog extends Catalog {
  setLoaded(isLoaded: boolean): void;
  /** Registers a server with these tools, or replaces its tools, and tells everybody. */
  setTools(server: string, definitions: readonly ToolDefinition[]): void;
}

/** The catalog without a database: the real index, filled by hand. */
export function createMemoryCatalog(bus: Bus): MemoryCatalog {
  const index = createCatalogIndex();
  const judge = createToolJudge();
  /** What servers that are being removed had. */
  const withdrawn = new Map<string, JudgedTools>();
  let isLoaded = true;

  function put(config: ServerConfig, tools: ToolListing): StoredServer {
    const { name } = config;
    const stored = { name, config, ...judgeTools(name, tools.map(toFacts), judge, tools.problems) };
    index.put(config.name, stored);
    withdrawn.delete(config.name);
    bus.publish({ type: 'tools', name: config.name });
    return stored;
  }

  function offerTools(name: string, tools: JudgedTools): void {
    const server = index.server(name);
    if (server === undefined) return;
    index.put(name, { ...server, ...tools });
    bus.publish({ type: 'tools', name });
  }

  async function endWithdrawal(name: string): Promise<void> {
    const tools = withdrawn.get(name);
    withdrawn.delete(name);
    if (tools) offerTools(name, tools);
  }

  return {
    ...index,
    isLoaded: () => isLoaded,
    setLoaded: (loaded) => {
      isLoaded = loaded;
    },
    load: async () => {},
    setTools: (server, definitions) => {
      const config = parseServerConfig({ name: server, transport: 'stdio', command: 'true' });
      put(config, definitions.map(toListed));
    },
    // Without a list the one before stays.
    store: async (config, tools = (withdrawn.get(config.name) ?? index.server(config.name))?.listed ?? []) =>
      put(config, tools),
    remove: async (name) => {
      index.put(name, undefined);
      bus.publish({ type: 'tools', name });
    },
    async withdraw(name) {
      if (!withdrawn.has(name)) withdrawn.set(name, index.server(name) ?? noTools);
      offerTools(name, noTools);
      return () => endWithdrawal(name);
    },
    endWithdrawal,
    withdrawn: async () => [...withdrawn.keys()],
  };
}

function toListed(definition: ToolDefinition): ListedTool {
  if (definition.startsWith('{')) return { name: JSON.parse(definition).name, definition };
  return {
    name: definition,
    definition: `{"name":${JSON.stringify(definition)},"inputSchema":{"type":"object"}}`,
  };
}

function toFacts({ name, definition }: ListedTool): ToolFacts {
  const hash = createHash('sha256').update(definition).digest('hex');
  return { name, definition, hash, firstListedAt: new Date(0) };
}
