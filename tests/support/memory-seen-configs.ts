import type { SeenConfigs } from '../../lib/registry/reconcile/seen-configs.ts';

/** Where config files were seen, kept over the services of one test. */
export function createMemorySeenConfigs(): SeenConfigs {
  const seen = new Map<string, string>();
  return {
    read: async () => new Map(seen),
    async record(servers, folder) {
      for (const server of servers) seen.set(server, folder);
    },
  };
}
