import { originHash } from '../../config/server-origin.ts';
import type { RemovedData } from '../../containers/store/container-data.ts';
import { toFailure } from '../../failure.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';
import { affectedTools } from './affected-groups.ts';

/** The steps of removing a server that an API call and a deleted config file share. */

export interface RemovedContainers extends RemovedData {
  /** The remaining objects at the engine, and when they will be removed. */
  readonly warning?: string;
}

const nothing: RemovedData = { containers: [], volumes: [] };

/** Called before any part of the server is removed: records its origin while a group has it ticked. */
export async function recordRemoval(
  { removed, known, catalog, groups }: Pick<RegistryDependencies, 'removed' | 'known' | 'catalog' | 'groups'>,
  name: string,
): Promise<void> {
  const isTicked = Object.keys(affectedTools(groups, catalog, name)).length > 0;
  if (!isTicked) return removed.delete(name);
  const config = known.current.get(name) ?? catalog.server(name)?.config;
  await removed.record(name, config === undefined ? '' : await originHash(config));
}

/** Stops the containers of a server without removing them. An unreachable engine does not fail the removal. */
export async function stopContainers(
  { containers, log }: Pick<RegistryDependencies, 'containers' | 'log'>,
  server: string,
): Promise<void> {
  if (!containers?.isOwner()) return;
  await containers.containerStore.stop(server).catch((error: unknown) => {
    log.warn({ server, reason: toFailure(error).message }, 'The container of a server could not be stopped.');
  });
}

/**
 * Removes the containers and volumes of a server. Where the engine is unreachable or another process owns the containers,
 * they are reaped later: no stored server names them, and no image is pinned for them.
 */
export async function removeContainers(
  { containers, log }: Pick<RegistryDependencies, 'containers' | 'log'>,
  server: string,
): Promise<RemovedContainers> {
  if (containers === undefined) return nothing;
  if (!containers.isOwner()) {
    return {
      ...nothing,
      warning: `The process that looks after the containers removes those of \`${server}\`, with their volumes, soon.`,
    };
  }
  try {
    return await containers.containerStore.remove(server);
  } catch (error) {
    const reason = toFailure(error).message;
    log.warn({ server, reason }, 'The container of a removed server is still there.');
    const warning = `What \`${server}\` has at the container engine is removed later. ${reason}`;
    return { ...nothing, warning };
  }
}
