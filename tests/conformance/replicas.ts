/** Three whole services on one Postgres and one set of folders, one of them the manager, behind a round robin. */
import { type RunningService, type RunServiceOptions, runService } from '../support/run-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type RoundRobin, startRoundRobin } from './round-robin.ts';

export interface Replicas {
  readonly manager: RunningService;
  /** All of them, the manager first. */
  readonly all: readonly RunningService[];
  readonly roundRobin: RoundRobin;
  /** Address of a group's endpoint behind the round robin. */
  groupUrl(group?: string): string;
  remove(): Promise<void>;
}

/** @param options of the manager; the others get its environment as well. */
export async function startReplicas(
  options: RunServiceOptions & { readonly database: string },
): Promise<Replicas> {
  const manager = await runService(options);
  const all = [manager];
  while (all.length < 3) all.push(await startGateway(manager, options));
  const roundRobin = await startRoundRobin(all.map(({ gatewayUrl }) => gatewayUrl));
  return {
    manager,
    all,
    roundRobin,
    groupUrl: (group = 'svc-global') => `${roundRobin.url}/v0/groups/${group}/mcp`,
    async remove() {
      await roundRobin.close();
      await Promise.all(all.slice(1).map((service) => service.remove()));
      await manager.remove();
    },
  };
}

/** One that serves agents only; it has no manager port to become ready. @param options of the manager. */
export async function startGateway(
  manager: RunningService,
  options: RunServiceOptions,
): Promise<RunningService> {
  const env = { ...options.env, ROLES: 'gateway' };
  const { database } = options;
  const service = await runService({
    ...(database ? { database } : {}),
    env,
    shareFoldersWith: manager,
    readyMs: 0,
  });
  const isReady = async () => (await fetch(`${service.gatewayUrl}/readyz`)).ok;
  await waitUntil('a gateway is ready', isReady, { limitMs: 30_000 });
  return service;
}
