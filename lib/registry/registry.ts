import type { StoredServer } from '../catalog/catalog.ts';
import type { ServerConfig } from '../config/server-config.ts';
import type { ContainerMount } from '../containers/containers.ts';
import type { AvailableUpdate } from '../containers/images/available-updates.ts';
import type { ProvisionWatch } from '../containers/images/provision-steps.ts';
import type { RemovedData } from '../containers/store/container-data.ts';
import type { ImageChange } from './provisioning/image-change.ts';
import type { ProvisionRequest } from './provisioning/provision-request.ts';

/**
 * Registers and removes servers: keeps the config file, the catalog and the connections in step. Operations
 * on one name never overlap.
 */
export interface Registry {
  /**
   * Registers or replaces a server: connects, lists its tools, moves literal secrets to the secrets method,
   * writes `configs/<name>.json`, stores, swaps. Nothing changes when any step fails.
   * `document` is the config in the file's own snake_case form.
   * The same content again rewrites the file only where that is missing.
   * A config with an `image` is pulled as by `provision`, but may replace a server. Aborting `signal` undoes everything.
   * Fails with `invalid_params`, `upstream_unavailable`, `upstream_timeout`, `conflict` (operation under way, or
   * name taken and no `replace`), `data_at_risk` (unless `discardData`), `storage_failed`, `database_unavailable`, and as in `registration-rights.ts`.
   */
  register(document: unknown, options?: RegisterOptions): Promise<Registration>;
  /**
   * Creates a server from an image's name: pulls, starts, waits until it answers, registers. Fails with `conflict`
   * (name taken), `provision_failed` (with `details` on the step and whether all was undone) or as `register`. When
   * `watch.signal` aborts everything is undone.
   */
  provision(
    request: ProvisionRequest,
    watch: ProvisionWatch,
    options?: Pick<RegisterOptions, 'isAdministrator'>,
  ): Promise<Registration>;
  /**
   * Removes the server with all that it owns, also one whose file was removed by hand and whose data is still stored.
   * The next boot restores nothing of it. Fails with `server_not_found`; when another step fails, the server is
   * unchanged.
   */
  deregister(name: string): Promise<Deregistration>;
  /**
   * Restarts the server and stores its new tool list. Fails with `server_not_found`, with `data_at_risk` when a secret
   * of a container with data has changed, or as above.
   */
  restart(name: string, options?: Pick<RegisterOptions, 'discardData'>): Promise<StoredServer>;
  /**
   * Makes a server in a container from the image that its reference names now, after comparing the tools. Fails with
   * `server_not_found`, `conflict` (it runs in no container; operation under way), `image_not_allowed`, `data_at_risk`,
   * `provision_failed` and as `provision`; the old one serves then, as when `watch.signal` aborts before the swap.
   */
  update(name: string, options: ImageChangeOptions, watch: ProvisionWatch): Promise<ImageChange>;
  /** As `update`, with the server's previous image. Fails also with `conflict` when there is none. */
  rollBack(name: string, options: ImageChangeOptions, watch: ProvisionWatch): Promise<ImageChange>;
  /** Asks the registry for a newer image. Fails as `update`. */
  checkUpdate(name: string): Promise<AvailableUpdate | undefined>;
  /** The config in effect, as its file has it. */
  configOf(name: string): ServerConfig | undefined;
  /** Why the config file of this server cannot be used as it is now; the last good config serves. */
  problem(name: string): string | undefined;
  /** Problem of the folder of config files as a whole, in a sentence; all servers continue meanwhile. */
  folderProblem(): string | undefined;
  /** Names of the files that were never readable, with their problem. */
  brokenFiles(): ReadonlyMap<string, string>;
}

export interface RegisterOptions {
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  /** An existing server of this name is replaced. */
  readonly replace?: boolean;
  /** Files of the container outside of volumes may be lost, and stored volumes of another image are removed. */
  readonly discardData?: boolean;
  /** The caller has administration rights (SECURITY.md, Rights). */
  readonly isAdministrator?: boolean;
}

export interface Deregistration {
  /** `secrets`: their number. */
  readonly removed: RemovedData & { readonly secrets: number };
  /** Mounts that the server used and did not own. */
  readonly kept: readonly ContainerMount[];
  /** The remaining objects, and when they will be removed. */
  readonly warnings: readonly string[];
}

export interface ImageChangeOptions {
  /** Files in the container's own layer may be lost. */
  readonly discardData?: boolean;
  /** Only compares the tools. */
  readonly dryRun?: boolean;
  /** Patterns of `ALLOWED_IMAGES`; none allows all. */
  readonly allowedImages?: readonly string[];
}

export interface Registration {
  readonly server: StoredServer;
  /** `unchanged`: the same content was registered before; it was listed again without rewriting the file. */
  readonly outcome: 'registered' | 'replaced' | 'unchanged';
  readonly warnings: readonly string[];
  readonly addedTools: readonly string[];
  readonly removedTools: readonly string[];
}
