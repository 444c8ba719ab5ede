import { toFailure } from '../http/failure.ts';
import type { RegistryParts } from './registry-parts.ts';

/** Those of a server that is not registered any more, and may come back. What an engine that is away runs is stopped later. */
export async function stopContainers(
  { containers, log }: Pick<RegistryParts, 'containers' | 'log'>,
  server: string,
): Promise<void> {
  if (!containers?.isOwner()) return;
  await containers.keeper.stop(server).catch((error: unknown) => {
    log.warn({ server, reason: toFailure(error).message }, 'The container of a removed server still runs.');
  });
}
