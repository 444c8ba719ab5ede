import type { ServerConfig } from '../../config/server-config.ts';
import type { ContainerMount } from '../../containers/containers.ts';
import { isServerName } from '../../names/names.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';

type Parts = Pick<RegistryDependencies, 'containers'>;

/**
 * Whether something is kept of a container server, listed or not: of one whose config file was removed by hand, image
 * and volumes stay until it is deleted.
 */
export async function hasStoredData({ containers }: Parts, server: string): Promise<boolean> {
  if (containers === undefined || !isServerName(server)) return false;
  if ((await containers.pins.of(server)) !== undefined) return true;
  return (await containers.containerStore.data(server)).volumes.length > 0;
}

/** What a server used and did not own: folders of the host, and volumes that somebody named. It outlives the server. */
export async function foreignMounts(
  { containers }: Parts,
  server: string,
  config: ServerConfig | undefined,
): Promise<readonly ContainerMount[]> {
  if (config !== undefined) {
    return config.volumes.flatMap(({ path, source, readOnly }) => {
      if (source === undefined) return [];
      return [{ type: source.startsWith('/') ? 'bind' : 'volume', source, path, readOnly } as const];
    });
  }
  const data = await containers?.containerStore.data(server).catch(() => undefined);
  return data?.mounts ?? [];
}
