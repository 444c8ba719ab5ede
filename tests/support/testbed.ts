/**
 * The real container engine and registry of the test bed, and what a test needs around them: a deployment of its own,
 * so that tests side by side on one engine see nothing of each other, and its end without leftovers.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import type { Containers } from '../../lib/containers/containers.ts';
import {
  createDockerContainers,
  type DockerContainers,
  type DockerContainersOptions,
} from '../../lib/containers/docker/node-docker-containers.ts';
import type { ContainerStore } from '../../lib/containers/store/container-store.ts';
import { createContainerStore } from '../../lib/containers/store/database-container-store.ts';
import type { Database } from '../../lib/database/database.ts';
import { openDatabase } from '../../lib/database/drivers/node-open-database.ts';
import { migrate } from '../../lib/database/migrate.ts';
import { readMigrations } from '../../lib/database/node-migrations.ts';
import { silentLog } from '../../lib/log.ts';
import { createRecordingLog, type LogEntry } from './recording-log.ts';

const registry = `127.0.0.1:${process.env.TESTBED_PORT ?? 5555}`;

/** `everything` or another image of the test bed. */
export const testImage = (name: string): string => `${registry}/mcp/${name}:1`;

export interface Testbed {
  readonly deploymentId: string;
  readonly docker: Docker;
  readonly containers: Containers;
  readonly logged: readonly LogEntry[];
  /** A server's name that no other test has. */
  name(base: string): string;
  /** A second view of the same deployment. */
  connect(options?: Partial<DockerContainersOptions>): DockerContainers;
  /** Names and states of this deployment's containers, sorted. */
  present(): Promise<string[]>;
  /** Ends everything that carries this deployment's label. */
  close(): Promise<void>;
}

/** Undefined, after one line that says why, where there is no engine or no registry. */
export async function openTestbed(): Promise<Testbed | undefined> {
  const docker = new Docker();
  const problem = await docker.ping().then(
    () =>
      fetch(`http://${registry}/v2/`).then(
        () => undefined,
        () => 'the registry of the test bed does not answer',
      ),
    () => 'there is no container engine',
  );
  if (problem !== undefined) {
    console.error(`containers: skipped, ${problem}`);
    return undefined;
  }
  const mark = randomBytes(3).toString('hex');
  const deploymentId = `test${mark}`;
  const { log, logged } = createRecordingLog();
  const connect: Testbed['connect'] = (options) =>
    createDockerContainers({ deploymentId, managerRunsInContainer: false, log, ...options });
  const containers = connect();
  return {
    ...{ deploymentId, docker, containers, logged, connect },
    name: (base) => `${base}-${mark}`,
    async present() {
      return (await containers.list()).map(({ name, status }) => `${name} ${status}`).sort();
    },
    async close() {
      for (const { id } of await containers.list()) await containers.remove(id);
      for (const { name } of await containers.volumes()) await containers.removeVolume(name);
      await removeKeptTags(docker, new Set([deploymentId]));
      await docker
        .getNetwork(`svc-mcp-${deploymentId}`)
        .remove()
        .catch(() => {});
    },
  };
}

export interface KeeperFixture {
  readonly containerStore: ContainerStore;
  readonly database: Database;
  /** Servers whose status changed, in order. */
  readonly changed: string[];
  /** Another container store on the same database, as after a restart of the service. */
  restart(options?: { readonly hashKey?: string }): Promise<ContainerStore>;
  close(): Promise<void>;
}

export async function createKeeperFixture(
  containers: Containers,
  options: { secretsOf?: () => Promise<string[]> } = {},
): Promise<KeeperFixture> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-keeper-'));
  const database = await openDatabase({ kind: 'pglite', directory }, { log: silentLog });
  await migrate(database, await readMigrations());
  const changed: string[] = [];
  const stores: ContainerStore[] = [];

  async function start({ hashKey = 'key' } = {}): Promise<ContainerStore> {
    const containerStore = createContainerStore({
      ...{ containers, database, log: silentLog, hashKey },
      onStatus: (server) => changed.push(server),
      secretsOf: options.secretsOf ?? (async () => []),
    });
    stores.push(containerStore);
    await containerStore.start();
    return containerStore;
  }

  return {
    containerStore: await start(),
    database,
    changed,
    restart: start,
    async close() {
      await Promise.all(stores.map((containerStore) => containerStore.close()));
      await database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Tags of images that servers could have gone back to. */
export async function removeKeptTags(docker: Docker, deployments: ReadonlySet<string>): Promise<void> {
  const tags = (await docker.listImages()).flatMap(({ RepoTags }) => RepoTags ?? []);
  const isOurs = (tag: string) => deployments.has(/^svc-mcp-kept\/([^:/]+)/.exec(tag)?.[1] ?? '');
  for (const tag of tags.filter(isOurs)) {
    await docker
      .getImage(tag)
      .remove()
      .catch(() => {});
  }
}
