import type { Catalog, StoredServer, StoredTool } from '../../../lib/catalog/catalog.ts';
import { defaultLimits, defaultTimeouts, type ServerConfig } from '../../../lib/catalog/server-config.ts';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { silentLog } from '../../../lib/observe/log.ts';

/** A catalog in memory: server name → its tools' own names, which a test may change. */
export function createKnownTools(servers: Record<string, readonly string[]>) {
  const bus = createLocalBus({ log: silentLog });
  const stored = new Map<string, StoredServer>();
  const state = { loaded: true };

  function offer(server: string, names: readonly string[], change: Partial<StoredTool> = {}): void {
    stored.set(server, {
      name: server,
      config: config(server),
      tools: names.map((name) => storedTool(server, name, change)),
    });
  }
  for (const [server, names] of Object.entries(servers)) offer(server, names);

  const tools = () => [...stored.values()].flatMap((server) => server.tools);
  const catalog: Catalog = {
    isLoaded: () => state.loaded,
    load: async () => {},
    servers: () => [...stored.values()],
    server: (name) => stored.get(name),
    tool: (fullName) => tools().find((tool) => tool.fullName === fullName),
    tools,
    store: async () => {
      throw new Error('not in this test');
    },
    remove: async (name) => void stored.delete(name),
  };
  return { catalog, offer, state, bus };
}

function storedTool(server: string, name: string, change: Partial<StoredTool>): StoredTool {
  const definition = JSON.stringify({ name, description: `does ${name}`, inputSchema: { type: 'object' } });
  return {
    server,
    name,
    fullName: `${server}__${name}`,
    definition,
    hash: `hash of ${definition}`,
    description: `does ${name}`,
    firstListedAt: new Date(0),
    ...change,
  };
}

function config(name: string): ServerConfig {
  return {
    name,
    transport: 'stdio',
    description: '',
    command: 'true',
    args: [],
    env: {},
    cwd: undefined,
    image: undefined,
    port: undefined,
    path: undefined,
    url: undefined,
    headers: {},
    bearerToken: undefined,
    sessionMode: 'stateless',
    timeouts: defaultTimeouts,
    limits: defaultLimits,
    network: 'bridge',
    readOnly: false,
    user: undefined,
  };
}
