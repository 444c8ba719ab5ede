/** Whole services on one Postgres, one of them the manager, behind a round robin. */
import { type RunningService, type RunServiceOptions, runService } from '../support/run-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type RoundRobin, startRoundRobin } from './round-robin.ts';

export interface Replicas {
  readonly manager: RunningService;
  /** Those that serve agents; the manager first, where it does. */
  readonly all: readonly RunningService[];
  readonly roundRobin: RoundRobin;
  /** Address of a group's endpoint behind the round robin. */
  groupUrl(group?: string): string;
  remove(): Promise<void>;
}

export type ReplicaOptions = RunServiceOptions & { readonly database: string };

/**
 * Three on one set of folders, of which one is also the manager.
 * @param options of the manager; the others get its environment as well.
 */
export async function startReplicas(options: ReplicaOptions): Promise<Replicas> {
  const manager = await runService(options);
  const gateways = [manager];
  while (gateways.length < 3) {
    gateways.push(await startGateway({ ...shared(options), shareFoldersWith: manager }));
  }
  return behindRoundRobin(manager, gateways);
}

/** A manager that has the folders, and three gateways that have none. */
export async function startFolderlessReplicas(options: ReplicaOptions): Promise<Replicas> {
  const manager = await runService({
    ...options,
    env: { ...options.env, ROLES: 'manager' },
    readyMs: 0,
  });
  await untilReady(manager.managerUrl);
  const gateways: RunningService[] = [];
  while (gateways.length < 3) gateways.push(await startFolderlessGateway(manager, shared(options)));
  return behindRoundRobin(manager, gateways);
}

export function startFolderlessGateway(
  manager: RunningService,
  options: RunServiceOptions = {},
): Promise<RunningService> {
  const database = options.database ?? manager.databaseUrl;
  if (database === undefined) throw new Error('A gateway without folders needs a Postgres.');
  return startGateway({ ...options, database, isFolderless: true, shareFoldersWith: manager });
}

export async function untilReady(url: string): Promise<void> {
  const isReady = async () => (await fetch(`${url}/readyz`)).ok;
  await waitUntil(`${url} is ready`, isReady, { limitMs: 30_000 });
}

function shared({ database, env }: ReplicaOptions): RunServiceOptions {
  return { database, ...(env ? { env } : {}) };
}

/** One that serves agents only; it has no manager port to become ready. */
async function startGateway(options: RunServiceOptions): Promise<RunningService> {
  const service = await runService({ ...options, env: { ...options.env, ROLES: 'gateway' }, readyMs: 0 });
  await untilReady(service.gatewayUrl);
  return service;
}

async function behindRoundRobin(
  manager: RunningService,
  gateways: readonly RunningService[],
): Promise<Replicas> {
  const roundRobin = await startRoundRobin(gateways.map(({ gatewayUrl }) => gatewayUrl));
  return {
    manager,
    all: gateways,
    roundRobin,
    groupUrl: (group = 'svc-global') => `${roundRobin.url}/v0/groups/${group}/mcp`,
    async remove() {
      await roundRobin.close();
      const others = gateways.filter((service) => service !== manager);
      await Promise.all(others.map((service) => service.remove()));
      await manager.remove();
    },
  };
}
