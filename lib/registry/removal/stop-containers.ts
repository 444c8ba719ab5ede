import { toFailure } from '../../failure.ts';
import type { RegistryParts } from '../registry-parts.ts';

/** Stops what runs of the server; it stays as it is. An engine that is away stops nothing, and hinders nothing. */
export async function stopContainers(
  { containers, log }: Pick<RegistryParts, 'containers' | 'log'>,
  server: string,
): Promise<void> {
  if (!containers?.isOwner()) return;
  await containers.keeper.stop(server).catch((error: unknown) => {
    log.warn({ server, reason: toFailure(error).message }, 'The container of a server could not be stopped.');
  });
}
