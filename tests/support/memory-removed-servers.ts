import type { RemovedServers } from '../../lib/registry/removal/removed-servers.ts';

/** The record of removed servers, kept over the services of one test. */
export function createMemoryRemovedServers(): RemovedServers {
  const origins = new Map<string, string>();
  return {
    originOf: async (server) => origins.get(server),
    async record(server, origin) {
      origins.set(server, origin);
    },
    async delete(server) {
      origins.delete(server);
    },
  };
}
