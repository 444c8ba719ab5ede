import { createHash } from 'node:crypto';
import type { Catalog, ListedTool, StoredServer, StoredTool } from '../../lib/catalog/catalog.ts';
import { createCatalogIndex } from '../../lib/catalog/catalog-index.ts';
import { fullToolName } from '../../lib/catalog/names.ts';
import { parseServerConfig } from '../../lib/catalog/parse-server-config.ts';
import type { ServerConfig } from '../../lib/catalog/server-config.ts';
import type { Bus } from '../../lib/events/bus.ts';

/** A tool's definition: its raw JSON text, or only its name. */
export type ToolDefinition = string;

export interface MemoryCatalog extends Catalog {
  setLoaded(isLoaded: boolean): void;
  /** Registers a server with these tools, or replaces its tools, and tells everybody. */
  offer(server: string, definitions: readonly ToolDefinition[]): void;
}

/** The catalog without a database: the real index, filled by hand. */
export function createMemoryCatalog(bus: Bus): MemoryCatalog {
  const index = createCatalogIndex();
  /** What servers that are being removed had. */
  const withdrawn = new Map<string, readonly StoredTool[]>();
  let isLoaded = true;

  function put(config: ServerConfig, tools: readonly ListedTool[]): StoredServer {
    const stored = { name: config.name, config, tools: tools.map((tool) => toStored(config.name, tool)) };
    index.put(config.name, stored);
    withdrawn.delete(config.name);
    bus.publish({ type: 'tools', name: config.name });
    return stored;
  }

  function offerTools(name: string, tools: readonly StoredTool[]): void {
    const server = index.server(name);
    if (server === undefined) return;
    index.put(name, { ...server, tools });
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
    offer: (server, definitions) => {
      const config = parseServerConfig({ name: server, transport: 'stdio', command: 'true' });
      put(config, definitions.map(toListed));
    },
    // Without a list the one before stays.
    store: async (config, tools = withdrawn.get(config.name) ?? index.server(config.name)?.tools ?? []) =>
      put(config, tools),
    remove: async (name) => {
      index.put(name, undefined);
      bus.publish({ type: 'tools', name });
    },
    async withdraw(name) {
      if (!withdrawn.has(name)) withdrawn.set(name, index.server(name)?.tools ?? []);
      offerTools(name, []);
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

function toStored(server: string, { name, definition }: ListedTool) {
  return {
    server,
    name,
    fullName: fullToolName(server, name),
    definition,
    hash: createHash('sha256').update(definition).digest('hex'),
    description: String(JSON.parse(definition).description ?? ''),
    firstListedAt: new Date(0),
  };
}
