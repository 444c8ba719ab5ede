import type { PushUndo } from '../../async/undo-stack.ts';
import type { ListedTool } from '../../catalog/catalog.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import type { ProvisionWatch } from '../../containers/images/provision-steps.ts';
import { assertNothingLost, candidateOf, completeVolumes, fitOf } from '../provisioning/container-plan.ts';
import { hasStoredData } from '../provisioning/stored-data.ts';
import { prepareServer } from '../registration/prepare-server.ts';
import type { Asker } from '../registration/registration-rights.ts';
import type { Registration } from '../registry.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';
import { stopContainers } from '../removal/stop-containers.ts';
import { keepRunning } from './keep-running.ts';

export interface StartOptions extends Pick<Asker, 'isAdministrator' | 'discardData'> {
  readonly watch: ProvisionWatch;
  readonly onFailure: PushUndo;
  /** Runs when variables are missing; the server is registered as failed unless this throws. */
  readonly onMissing?: (missing: readonly string[]) => void;
}

/** A server that is about to be registered, and answers. */
export interface StartedServer {
  /** Undefined when variables are missing. */
  readonly tools: readonly ListedTool[] | undefined;
  readonly missing: readonly string[];
  /** Of the container. */
  readonly imageId: string | undefined;
  /** Makes it the one that serves. Absent: it is that already, or never started. */
  readonly commit: (() => Promise<void>) | undefined;
}

/**
 * The container that is the right one already goes on; anything else is tried out beside what serves.
 * @throws Failure `data_at_risk`, and as a start fails
 */
export async function startServer(
  deps: RegistryDependencies,
  config: ServerConfig,
  outcome: Registration['outcome'],
  options: StartOptions,
): Promise<StartedServer> {
  const { watch, onFailure } = options;
  const { name } = config;
  const fit = await fitOf(deps, config);
  const act = { mayDiscard: options.discardData, act: 'This' };
  assertNothingLost(name, fit, act);
  await completeVolumes(deps, config, fit, options);
  const imageId = fit?.imageId;
  if (outcome === 'unchanged' && fit?.container === 'fits') {
    watch.onStep({ step: 'ready' });
    return { tools: await keepRunning(deps, name), missing: [], imageId, commit: undefined };
  }
  const isNew = !deps.known.current.has(name);
  if (config.image !== undefined && isNew) onFailure(await undoContainer(deps, name));
  const wanted = candidateOf(config, fit);
  // The container that was kept for the name gives way last of all: nobody serves from it, to whom it could be brought back.
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
      // It may have written something since.
      if (!act.mayDiscard && fit?.container === 'other')
        assertNothingLost(name, await fitOf(deps, config), act);
      await candidate.commit();
    },
  };
}

/** What was kept for the name, of a server whose file was removed, is kept on. */
async function undoContainer(deps: RegistryDependencies, name: string): Promise<() => Promise<unknown>> {
  const wasKept = await hasStoredData(deps, name);
  return async () => (wasKept ? stopContainers(deps, name) : deps.containers?.containerStore.remove(name));
}
