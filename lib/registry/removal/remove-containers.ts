import type { RemovedData } from '../../containers/store/container-data.ts';
import { toFailure } from '../../failure.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';

type Parts = Pick<RegistryDependencies, 'containers' | 'log'>;

export interface RemovedContainers extends RemovedData {
  /** What is still there, and when it goes. */
  readonly warning?: string;
}

const nothing: RemovedData = { containers: [], volumes: [] };

/**
 * Ends the containers and volumes of a server that goes. What cannot be removed now, because the engine is away or
 * another process looks after it, is reaped later: nothing lists the server, and no image is pinned for it.
 */
export async function removeContainers(
  { containers, log }: Parts,
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
