/** The servers that other processes have called through this one: what these send concerns clients elsewhere, too. */
export interface RelayedServers {
  add(server: string): void;
  has(server: string): boolean;
}

export function createRelayedServers(): RelayedServers {
  const servers = new Set<string>();
  return {
    add: (server) => void servers.add(server),
    has: (server) => servers.has(server),
  };
}
