import type { StoredServer, StoredTool } from './catalog.ts';

/**
 * The catalog's copy in memory. The sorted lists are built on the first read after a change and then shared:
 * readers ask far more often than anything changes.
 */
export interface CatalogIndex {
  servers(): readonly StoredServer[];
  server(name: string): StoredServer | undefined;
  tool(fullName: string): StoredTool | undefined;
  tools(): readonly StoredTool[];
  /** Undefined removes it. */
  put(name: string, server: StoredServer | undefined): void;
}

interface Lists {
  readonly servers: readonly StoredServer[];
  readonly tools: readonly StoredTool[];
  readonly byFullName: ReadonlyMap<string, StoredTool>;
}

export function createCatalogIndex(): CatalogIndex {
  const byName = new Map<string, StoredServer>();
  let built: Lists | undefined;
  const lists = () => {
    built ??= buildLists(byName.values());
    return built;
  };
  return {
    servers: () => lists().servers,
    server: (name) => byName.get(name),
    tool: (fullName) => lists().byFullName.get(fullName),
    tools: () => lists().tools,
    put(name, server) {
      if (server) byName.set(name, server);
      else byName.delete(name);
      built = undefined;
    },
  };
}

/** Full names cannot collide: a server's name never holds `__` (names.ts). */
function buildLists(unsorted: Iterable<StoredServer>): Lists {
  const servers = [...unsorted].sort((a, b) => (a.name < b.name ? -1 : 1));
  const tools = servers.flatMap((server) => server.tools).sort((a, b) => (a.fullName < b.fullName ? -1 : 1));
  return { servers, tools, byFullName: new Map(tools.map((tool) => [tool.fullName, tool])) };
}
