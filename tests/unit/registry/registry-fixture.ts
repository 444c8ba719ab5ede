import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Catalog } from '../../../lib/catalog/catalog.ts';
import type { ConfigFiles } from '../../../lib/config/config-files.ts';
import { createConfigFiles } from '../../../lib/config/node-config-files.ts';
import { createMountCheck } from '../../../lib/containers/mounts/node-mount-check.ts';
import { createLocalBus, type LocalBus } from '../../../lib/events/local-bus.ts';
import { databaseUnavailable, Failure } from '../../../lib/failure.ts';
import type { Log } from '../../../lib/log.ts';
import { createRegistry, type RunningRegistry } from '../../../lib/registry/create-registry.ts';
import type { RegistryDependencies } from '../../../lib/registry/registry-dependencies.ts';
import { createEnvFile } from '../../../lib/secrets/node-env-file.ts';
import type { Secrets } from '../../../lib/secrets/secrets.ts';
import { createMemoryCatalog } from '../../support/memory-catalog.ts';
import { createMemoryGroups, type MemoryGroups } from '../../support/memory-groups.ts';
import { createMemoryJournal, type MemoryJournal } from '../../support/memory-journal.ts';
import { createMemoryRemovedServers } from '../../support/memory-removed-servers.ts';
import { createMemorySecretOwners, type MemorySecretOwners } from '../../support/memory-secret-owners.ts';
import { createMemorySeenConfigs } from '../../support/memory-seen-configs.ts';
import { createRecordingLog, type LogEntry } from '../../support/recording-log.ts';
import { createSteeredUpstreams, type SteeredUpstreams } from './steered-upstreams.ts';

export interface RegistryFixture {
  /** Asks as an administrator who means to replace, where a test does not say otherwise. */
  readonly registry: RunningRegistry;
  readonly owners: MemorySecretOwners;
  readonly groups: MemoryGroups;
  readonly catalog: Catalog;
  readonly upstreams: SteeredUpstreams;
  readonly secrets: Secrets;
  readonly journal: MemoryJournal;
  readonly bus: LocalBus;
  readonly logged: readonly LogEntry[];
  readonly directory: string;
  /** The next look at the files has read them, but goes on only when the returned function is called. */
  holdNextLook(): () => void;
  /** The next removal of a config file fails, as on a disk that is read-only. */
  failNextRemoval(): void;
  /** From now on the database cannot be reached, or can again. */
  setDatabaseAway(isAway: boolean): void;
  /** As a person would, into the folder of configs. */
  writeConfig(name: string, document: unknown): Promise<void>;
  /** The file's text; undefined when there is none. */
  readConfig(name: string): Promise<string | undefined>;
  secretValue(name: string): Promise<string | undefined>;
  toolNames(server: string): string[] | undefined;
  /** Another service process over the same folder, secrets and stored servers. */
  restartService(): RegistryFixture;
}

/** The service's own, for configs that set none. */
export const fixtureCallTimeoutMs = 45_000;

/** How long a start waits at most for servers that were never listed. */
export const fixtureFirstListingMs = 400;

/** Runs `work` with a registry over real files, then ends it. */
export async function withRegistry(
  work: (fixture: RegistryFixture) => Promise<void>,
  makeContainers?: (
    deps: Pick<RegistryFixture, 'upstreams' | 'secrets'> & { log: Log },
  ) => RegistryDependencies['containers'],
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'svc-mcp-registry-'));
  const registries: RunningRegistry[] = [];
  const { log, logged } = createRecordingLog();
  const bus = createLocalBus({ log });
  const secrets = createEnvFile({ path: join(root, 'secrets.env'), log });
  const directory = join(root, 'configs');
  const journal = createMemoryJournal();
  const owners = createMemorySecretOwners();
  const removed = createMemoryRemovedServers();
  const seen = createMemorySeenConfigs();
  const groups = createMemoryGroups(bus);
  let isAway = false;
  const catalog = breakable(createMemoryCatalog(bus), () => isAway);

  function start(): RegistryFixture {
    const upstreams = createSteeredUpstreams(secrets, (config, tools) => registry.storeTools(config, tools));
    const { files, holdNextLook, failNextRemoval } = steerable(
      createConfigFiles({ directory, log, callTimeoutMs: fixtureCallTimeoutMs }),
    );
    const registry = createRegistry({
      ...{ catalog, upstreams, secrets, files, journal, owners, removed, seen, groups, bus, log },
      gatewayCommand: () => 'svc-mcp',
      containers: makeContainers?.({ upstreams, secrets, log }),
      mounts: createMountCheck({ allowed: [], guarded: [root], ownMounts: async () => [] }),
      callTimeoutMs: fixtureCallTimeoutMs,
      firstListingMs: fixtureFirstListingMs,
    });
    registries.push(registry);
    const pathOf = (name: string) => join(directory, `${name}.json`);
    return {
      registry: {
        ...registry,
        register: (document, options) =>
          registry.register(document, { isAdministrator: true, replace: true, ...options }),
      },
      owners,
      groups,
      catalog,
      upstreams,
      secrets,
      journal,
      bus,
      logged,
      directory,
      holdNextLook,
      failNextRemoval,
      setDatabaseAway: (away) => {
        isAway = away;
      },
      async writeConfig(name, document) {
        await files.createFolder();
        // In one go: a look that is under way must not find half of it.
        const half = join(root, `${name}.half`);
        await writeFile(half, typeof document === 'string' ? document : JSON.stringify(document));
        await rename(half, pathOf(name));
      },
      readConfig: (name) => readFile(pathOf(name), 'utf8').catch(() => undefined),
      secretValue: async (name) => (await secrets.read([name])).get(name),
      toolNames: (server) => catalog.server(server)?.tools.map((tool) => tool.name),
      restartService: start,
    };
  }

  try {
    await work(start());
  } finally {
    await Promise.all(registries.map((registry) => registry.close()));
    await rm(root, { recursive: true, force: true });
  }
}

function steerable(files: ConfigFiles) {
  let gate = Promise.resolve();
  let failsNext = false;
  return {
    files: {
      ...files,
      async readAll() {
        const found = await files.readAll();
        await gate;
        return found;
      },
      async remove(name: string) {
        if (failsNext) throw new Failure('storage_failed', 'The config file cannot be removed.');
        return await files.remove(name);
      },
    },
    failNextRemoval() {
      failsNext = true;
    },
    holdNextLook() {
      let release = () => {};
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
  };
}

function breakable(catalog: Catalog, isAway: () => boolean): Catalog {
  const reach = () => {
    if (isAway()) throw databaseUnavailable();
  };
  return {
    ...catalog,
    async store(config, tools) {
      reach();
      return catalog.store(config, tools);
    },
    async remove(name) {
      reach();
      await catalog.remove(name);
    },
    async withdraw(name) {
      reach();
      return await catalog.withdraw(name);
    },
  };
}

/** A config that needs nothing, with `changes`. */
export function stdio(name: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { name, transport: 'stdio', command: 'demo-server', ...changes };
}

/** The failure's code; fails when the work succeeds. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof Failure ? error.code : `not a Failure: ${String(error)}`;
  }
  return 'it succeeded';
}
