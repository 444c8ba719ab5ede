import { toFailure } from '../../failure.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';

/** Stops what runs of the server; it stays as it is. An engine that is away stops nothing, and hinders nothing. */
export async function stopContainers(
  { containers, log }: Pick<RegistryDependencies, 'containers' | 'log'>,
  server: string,
): Promise<void> {
  if (!containers?.isOwner()) return;
  await containers.containerStore.stop(server).catch((error: unknown) => {
    log.warn({ server, reason: toFailure(error).message }, 'The container of a server could not be stopped.');
  });
}
