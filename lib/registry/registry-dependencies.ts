import type { Limiter } from '../async/limiter.ts';
import type { Mutex } from '../async/mutex.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ConfigFiles } from '../config/config-files.ts';
import type { ServerConfig } from '../config/server-config.ts';
import type { EarlierImages } from '../containers/images/earlier-images.ts';
import type { ImagePins } from '../containers/images/image-pins.ts';
import type { ImageStarts } from '../containers/images/image-starts.ts';
import type { ImageUpdates } from '../containers/images/image-updates.ts';
import { noEngine } from '../containers/images/provision-steps.ts';
import type { MountCheck } from '../containers/mounts/node-mount-check.ts';
import type { ContainerStore } from '../containers/store/container-store.ts';
import type { Bus } from '../events/bus.ts';
import { Failure } from '../failure.ts';
import type { Groups } from '../groups/groups.ts';
import type { Log } from '../log.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { NameLocks } from './name-locks.ts';
import type { SeenConfigs } from './reconcile/seen-configs.ts';
import type { RemovedServers } from './removal/removed-servers.ts';
import type { RegistrationJournal } from './secrets/registration-journal.ts';
import type { SecretOwners } from './secrets/secret-owners.ts';

/** The dependencies of `createRegistry`. */
export interface RegistryDeps {
  readonly catalog: Catalog;
  readonly upstreams: Upstreams;
  readonly secrets: Secrets;
  readonly files: ConfigFiles;
  readonly journal: RegistrationJournal;
  readonly owners: SecretOwners;
  readonly removed: RemovedServers;
  readonly seen: SeenConfigs;
  /** Agents of these groups may be affected by a replacement. */
  readonly groups: Pick<Groups, 'names' | 'read'>;
  /** The `svc-mcp` command as it is typed in any terminal of this machine. */
  readonly gatewayCommand: () => string;
  /** Absent where this process has no container engine. */
  readonly containers?: RegistryContainers | undefined;
  readonly mounts: MountCheck;
  readonly bus: Bus;
  readonly log: Log;
  /** Default of configs. */
  readonly callTimeoutMs?: number;
  /** Longest wait of the start for servers that were never listed. */
  readonly firstListingMs?: number;
}

export interface RegistryContainers {
  readonly images: ImageStarts;
  readonly earlier: EarlierImages;
  readonly updates: Pick<ImageUpdates, 'check' | 'pulled' | 'poll'>;
  readonly containerStore: Pick<
    ContainerStore,
    'remove' | 'stop' | 'fit' | 'data' | 'status' | 'beginReplacing' | 'inherit'
  >;
  readonly pins: ImagePins;
  /** Whether this process owns the containers now. */
  readonly isOwner: () => boolean;
}

/** The shared dependencies of the registry's operations; assembled in `create-registry.ts`. */
export interface RegistryDependencies extends RegistryDeps {
  readonly known: StoredServerNames;
  readonly locks: NameLocks;
  readonly starts: Limiter;
  /** Held from choosing names for secrets until they are claimed: different servers may want the same names. */
  readonly secretsMutex: Mutex;
  /** Aborted when the service ends. */
  readonly ended: AbortSignal;
}

/** The servers and their files as known to this process. */
export interface StoredServerNames {
  /** The config in effect, by name, as its file has it. */
  readonly current: Map<string, ServerConfig>;
  /** Names whose file existed in the last pass, or was written since. */
  readonly withFile: Set<string>;
  /** Broken files, and changed ones whose server did not start; the config in effect continues to serve. */
  readonly problems: Map<string, Problem>;
}

export interface Problem {
  readonly problem: string;
  /** Names of the secrets in the file. */
  readonly references: readonly string[];
}

/** The missing variables for which a start was refused; undefined for any other error. */
export function missingVariablesIn(error: unknown): readonly string[] | undefined {
  if (!(error instanceof Failure)) return undefined;
  const names = error.details?.missing_variables;
  return Array.isArray(names) ? names.map(String) : undefined;
}

/** @throws Failure `provision_failed`, 503 */
export function containersOf({ containers }: Pick<RegistryDependencies, 'containers'>): RegistryContainers {
  if (!containers) throw noEngine();
  return containers;
}

export function serverNotFound(name: string): Failure {
  // The name comes from outside; at most the length of a server's name is repeated.
  return new Failure('server_not_found', `There is no server named \`${name.slice(0, 30)}\`.`);
}
