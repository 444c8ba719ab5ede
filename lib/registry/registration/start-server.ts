import type { PushUndo } from '../../async/undo-stack.ts';
import { withTimeout } from '../../async/wait.ts';
import type { ListedTool } from '../../catalog/catalog.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import type { PulledImage } from '../../containers/images/present-image.ts';
import type { ProvisionWatch } from '../../containers/images/provision-steps.ts';
import type { Candidate } from '../../upstreams/upstreams.ts';
import {
  assertNothingLost,
  candidateOf,
  completeVolumes,
  hasStoredData,
  readContainerFit,
} from '../provisioning/container-plan.ts';
import type { Registration } from '../registry.ts';
import { containersOf, missingVariablesIn, type RegistryDependencies } from '../registry-dependencies.ts';
import { stopContainers } from '../removal/removal-steps.ts';
import type { Requester } from './registration-rights.ts';

export interface StartOptions extends Pick<Requester, 'isAdministrator' | 'discardData'> {
  readonly watch: ProvisionWatch;
  readonly onFailure: PushUndo;
  /** Runs when variables are missing; the server is registered as failed unless this throws. */
  readonly onMissing?: (missing: readonly string[]) => void;
}

/** A started server that is about to be registered. */
export interface StartedServer {
  /** Undefined when variables are missing. */
  readonly tools: readonly ListedTool[] | undefined;
  readonly missing: readonly string[];
  /** Image of the container. */
  readonly imageId: string | undefined;
  /** Makes this connection the one that serves. Absent when it serves already or never started. */
  readonly commit: (() => Promise<void>) | undefined;
}

/**
 * Keeps a container that fits the config; any other server is tried out beside the one that serves.
 * @throws Failure `data_at_risk`, and those of a failed start
 */
export async function startServer(
  deps: RegistryDependencies,
  config: ServerConfig,
  outcome: Registration['outcome'],
  options: StartOptions,
): Promise<StartedServer> {
  const { watch, onFailure } = options;
  const { name } = config;
  const fit = await readContainerFit(deps, config);
  const act = { mayDiscard: options.discardData, act: 'This' };
  assertNothingLost(name, fit, act);
  await completeVolumes(deps, config, fit, options);
  const imageId = fit?.imageId;
  if (outcome === 'unchanged' && fit?.container === 'fits') {
    watch.onStep({ step: 'ready' });
    return { tools: await listRunning(deps, name), missing: [], imageId, commit: undefined };
  }
  const isNew = !deps.known.current.has(name);
  if (config.image !== undefined && isNew) onFailure(await undoContainer(deps, name));
  const wanted = candidateOf(config, fit);
  // A container that was kept for the name is replaced last: no connection serves from it, so an undo could not restore it.
  const tried = isNew && fit?.container === 'other' ? { ...wanted, isTryOut: true } : wanted;
  const { candidate, missing } = await prepareServer(deps, tried, watch);
  if (candidate === undefined) {
    options.onMissing?.(missing);
    return { tools: undefined, missing, imageId: undefined, commit: undefined };
  }
  onFailure(() => candidate.discard());
  return {
    ...{ tools: candidate.tools, missing, imageId },
    async commit() {
      // The container may have written files since the first check.
      if (!act.mayDiscard && fit?.container === 'other')
        assertNothingLost(name, await readContainerFit(deps, config), act);
      await candidate.commit();
    },
  };
}

/** A container that was kept for the name, because a config file was deleted by hand, is kept again. */
async function undoContainer(
  deps: Pick<RegistryDependencies, 'containers' | 'log'>,
  name: string,
): Promise<() => Promise<unknown>> {
  const hadData = await hasStoredData(deps, name);
  return async () => (hadData ? stopContainers(deps, name) : deps.containers?.containerStore.remove(name));
}

/** A running server without an answer for this long hangs, and is restarted by registering it again. */
const longestListingMs = 10_000;

/**
 * Connects to the container of a server if necessary, and lists its tools again. A container that does not answer is
 * stopped and started, and remains the same container.
 */
async function listRunning(
  { upstreams }: Pick<RegistryDependencies, 'upstreams'>,
  name: string,
): Promise<readonly ListedTool[]> {
  const listed = upstreams.relist(name).catch((error: unknown) => {
    if (missingVariablesIn(error)) throw error;
    return undefined;
  });
  return (await withTimeout(listed, longestListingMs, () => undefined)) ?? (await upstreams.restart(name));
}

/** The try-out of a server that is about to be registered, as a process, by its address, or as a container. */
export interface Prepared {
  /** Undefined when variables are missing. */
  readonly candidate: Candidate | undefined;
  readonly missing: readonly string[];
}

export async function prepareServer(
  deps: Pick<RegistryDependencies, 'upstreams' | 'containers'>,
  config: ServerConfig,
  watch: ProvisionWatch,
): Promise<Prepared> {
  try {
    const candidate =
      config.image === undefined
        ? await deps.upstreams.prepare(config, watch.signal)
        : await containersOf(deps).images.prepare(config, watch);
    return { candidate, missing: [] };
  } catch (error) {
    const missing = missingVariablesIn(error);
    if (!missing) throw error;
    return { candidate: undefined, missing };
  }
}

/**
 * Pulls the image of a server if it runs in a container.
 * @returns warnings
 * @throws Failure `provision_failed`
 */
export async function pullFor(
  deps: Pick<RegistryDependencies, 'containers'>,
  config: Pick<ServerConfig, 'image' | 'pull'>,
  watch: ProvisionWatch,
): Promise<string[]> {
  const { image, pull } = config;
  if (image === undefined) return [];
  const { images } = containersOf(deps);
  await images.assertPossible();
  return warningsOf(await images.pull({ image, pull }, watch));
}

export function warningsOf({ warning }: PulledImage): string[] {
  return warning === undefined ? [] : [warning];
}
