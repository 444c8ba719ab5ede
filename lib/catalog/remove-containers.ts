import { toFailure } from '../http/failure.ts';
import type { RegistryParts } from './registry-parts.ts';

/** Ends the containers of a server that goes. What an engine that is away keeps is reaped when it is back. */
export async function removeContainers(
  { containers, log }: Pick<RegistryParts, 'containers' | 'log'>,
  server: string,
): Promise<void> {
  if (!containers?.isOwner()) return;
  await containers.keeper.remove(server).catch((error: unknown) => {
    log.warn(
      { server, reason: toFailure(error).message },
      'The container of a removed server is still there.',
    );
  });
}
