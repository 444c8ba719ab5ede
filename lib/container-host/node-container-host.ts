import { createEmitter } from '../async/emitter.ts';
import { createLate } from '../async/late.ts';
import { createLimiter } from '../async/limiter.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { knownValues } from '../config/secret-references.ts';
import type { Containers } from '../containers/containers.ts';
import type { RegistryCredentials } from '../containers/credentials/registry-credentials.ts';
import {
  createDockerContainers,
  type DockerContainers,
} from '../containers/docker/node-docker-containers.ts';
import { runsInContainer } from '../containers/docker/node-own-container.ts';
import { createAvailableUpdates } from '../containers/images/available-updates.ts';
import { createEarlierImages } from '../containers/images/earlier-images.ts';
import { createImageDigests } from '../containers/images/image-digests.ts';
import { createTaggedImagePins } from '../containers/images/image-pins.ts';
import { createImageStarts } from '../containers/images/image-starts.ts';
import { createImageUpdates } from '../containers/images/image-updates.ts';
import { createShownImages, type ShownImages } from '../containers/images/shown-images.ts';
import {
  createMountCheck,
  type MountCheck,
  type MountCheckOptions,
  mountChecked,
} from '../containers/mounts/node-mount-check.ts';
import type { ContainerStore } from '../containers/store/container-store.ts';
import { createContainerStore } from '../containers/store/database-container-store.ts';
import type { Database } from '../database/database.ts';
import { readContainersDeployment } from '../database/deployment-id.ts';
import type { Bus } from '../events/bus.ts';
import type { SharedNetwork } from '../http/node-peers.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { RunningRegistry } from '../registry/create-registry.ts';
import { type RegistryContainers, serverNotFound } from '../registry/registry-dependencies.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { createFindOwner } from '../upstreams/relay/find-owner.ts';
import type { RelayOwner } from '../upstreams/relay/remote-upstreams.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { type AbsentOwner, createAbsentOwner, createContainerOwner } from './container-owner.ts';
import { createOwnershipDuties, type OwnershipDuties } from './follow-ownership.ts';
import { findLeftDeployment } from './node-left-deployment.ts';
import { createLateContainers, createOwnedContainers } from './owned-containers.ts';
import { createContainerReconciler } from './reconcile-containers.ts';

/**
 * The containers of this process, created before the database is reached: the engine, the container store, and the
 * ownership. A gateway-only process never starts the host, and only asks for the owner.
 */
export interface ContainerHost {
  readonly containers: Containers;
  readonly containerStore: ContainerStore;
  /** The paths and volumes that servers may mount. */
  readonly mounts: MountCheck;
  readonly shownImages: ShownImages;
  isOwner(): boolean;
  /** Why this process is not the owner. */
  readonly absent: AbsentOwner;
  /** The key with which other processes authenticate; undefined while this one is not the owner. */
  relayToken(): Promise<string | undefined>;
  findOwner(useless?: RelayOwner): Promise<RelayOwner | undefined>;
  forRegistry(upstreams: Pick<Upstreams, 'prepare'>): RegistryContainers;
  /**
   * The schema must exist, the engine may be away: ownership is taken once the engine answers.
   * @param registry Has the config in effect of each server.
   */
  start(registry: Pick<RunningRegistry, 'configOf'>): Promise<void>;
  /** Everything is loaded: from now on this process reconciles the containers whenever it is the owner. */
  follow(parts: OwnershipDependencies): void;
  /** Starts no new work. */
  end(): void;
  /** Called after the connections are closed. */
  close(): Promise<void>;
}

export interface OwnershipDependencies {
  readonly catalog: Pick<Catalog, 'servers' | 'server'>;
  /** The id of this process. */
  readonly upstreams: Upstreams;
  readonly registry: Pick<RunningRegistry, 'busyNames' | 'restart'>;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly metrics: Metrics;
}

export interface ContainerHostOptions {
  readonly database: Database;
  readonly dockerHost: string | undefined;
  /** Credentials for the registries that images come from. */
  readonly credentials: RegistryCredentials;
  readonly installationId: string;
  /** For `createConfigHash`. */
  readonly hashKey: string;
  readonly newToken: () => string;
  readonly newDeploymentId: () => string;
  /** The last recorded value, independent of the database. */
  readonly notedDeployment: () => string | undefined;
  readonly noteDeployment: (id: string) => void;
  /** The address of this process's manager port for other processes. */
  readonly url: string;
  readonly secrets: Secrets;
  /** For `createMountCheck`. */
  readonly mounts: Omit<MountCheckOptions, 'ownMounts'>;
  readonly onStatus: (server: string) => void;
  readonly onAvailableUpdate: (server: string) => void;
  readonly updateCheckHours: number;
  /** For `createDockerContainers`. */
  readonly onShared: (network: SharedNetwork) => void;
  readonly log: Log;
}

const enginePollMs = 2_000;

export function createContainerHost(options: ContainerHostOptions): ContainerHost {
  const { database, secrets, log } = options;
  const docker = createLate<DockerContainers>();
  const registry = createLate<Pick<RunningRegistry, 'configOf'>>();
  const ownership = createEmitter<[isOwner: boolean]>();
  const token = options.newToken();
  const owner = createContainerOwner({
    ...{ database, token, log, url: options.url, processId: options.installationId },
    now: () => performance.now(),
    onChange: ownership.emit,
  });
  const isOwner = owner.isOwner;
  const absent = createAbsentOwner({
    ...{ current: owner.current, processId: options.installationId },
    problem: async () => docker.current()?.problem(),
  });
  const containers: Containers = {
    ...createOwnedContainers(createLateContainers(docker.promise), owner.confirm, absent.reason),
    problem: async () => docker.current()?.problem() ?? 'The service is still starting.',
  };
  const pins = createTaggedImagePins({ containers, database, log });
  const digests = createImageDigests(database);
  const updates = createImageUpdates({
    ...{ containers, pins, digests, log, onAvailableUpdate: options.onAvailableUpdate },
    availableUpdates: createAvailableUpdates(database),
    everyHours: options.updateCheckHours,
  });
  const store = createContainerStore({
    ...{ containers, database, log, hashKey: options.hashKey, onStatus: options.onStatus },
    isSession: (id) => isSession(database, id),
    async secretsOf(server) {
      const config = (await registry.promise).configOf(server);
      if (config === undefined) throw serverNotFound(server);
      return await knownValues(config, secrets);
    },
  });
  const mounts = createMountCheck({
    ...options.mounts,
    ownMounts: async () => (await docker.current()?.ownMounts()) ?? [],
  });
  const containerStore = mountChecked(store, mounts);
  const findOwner = createFindOwner({ read: owner.current, now: () => performance.now() });
  let duties: OwnershipDuties | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  /** Only a process with an engine may become the owner. */
  async function takeOwnership(engine: DockerContainers): Promise<void> {
    if ((await engine.problem()) === undefined) {
      await engine
        .joinNetwork()
        .catch((error: unknown) => log.warn({ error }, 'The servers’ network cannot be joined yet.'));
      await owner.start();
      await absent.reason();
    } else if (!isClosed) {
      await absent.reason();
      retry = setTimeout(() => void takeOwnership(engine), enginePollMs);
    }
  }

  return {
    containers,
    containerStore,
    mounts,
    shownImages: createShownImages(database),
    isOwner,
    absent,
    relayToken: async () => (isOwner() || (await owner.confirm()) ? token : undefined),
    async findOwner(useless) {
      // A process that slept may receive its own calls before it notices; it may find itself as the owner.
      await owner.confirm();
      return await findOwner(useless);
    },
    forRegistry(upstreams) {
      const images = createImageStarts({
        ...{ containers, containerStore, upstreams, secrets, isOwner },
        whyNotOwner: absent.reason,
      });
      const earlier = createEarlierImages({ containers, images, digests });
      return { images, earlier, updates, containerStore, pins, isOwner };
    },
    async start(given) {
      registry.set(given);
      const managerRunsInContainer = runsInContainer();
      const findLeft = async () =>
        (managerRunsInContainer ? await findLeftDeployment(options) : undefined) ?? options.notedDeployment();
      const deploymentId = await readContainersDeployment(database, options.newDeploymentId, findLeft);
      options.noteDeployment(deploymentId);
      const engine = createDockerContainers({ ...options, deploymentId, managerRunsInContainer });
      docker.set(engine);
      await containerStore.start();
      await takeOwnership(engine);
    },
    follow(dependencies) {
      const starts = createLimiter();
      const reconciler = createContainerReconciler({
        ...{ ...dependencies, containers, containerStore, updates, starts, log },
        busyNames: dependencies.registry.busyNames,
        isSession: (id) => isSession(database, id),
      });
      duties = createOwnershipDuties({ ...dependencies, isOwner, reconciler, log });
      ownership.on(duties.changed);
      duties.start();
    },
    end() {
      isClosed = true;
      clearTimeout(retry);
      duties?.stop();
    },
    async close() {
      await owner.close();
      await containerStore.close();
    },
  };
}

/** Reads the rows, since a query to the sessions would count as a use; expired rows are removed in time. */
async function isSession(database: Database, id: string): Promise<boolean> {
  return (await database.query('select 1 from sessions where id = $1', [id])).length > 0;
}
