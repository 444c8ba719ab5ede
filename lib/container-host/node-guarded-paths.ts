import { join, resolve } from 'node:path';
import { parseDockerHost } from '../containers/docker/docker-host.ts';
import { sourcesFolder } from '../home/node-home.ts';
import type { Settings } from '../settings/settings.ts';

/** What of this host no server may be given: who has it has the engine, the secrets, or the say of what is registered. */
export function guardedPaths(
  settings: Pick<Settings, 'dataDir' | 'groupsDir' | 'configsDir' | 'secrets' | 'dockerHost'>,
): string[] {
  const { dataDir, groupsDir, configsDir, secrets, dockerHost = '/var/run/docker.sock' } = settings;
  const engine = parseDockerHost(dockerHost);
  const paths = [
    ...[dataDir, groupsDir, configsDir, '.env', join(sourcesFolder, '.env')],
    ...(secrets.method === 'env_file' ? [secrets.path] : []),
    ...(engine !== undefined && 'socketPath' in engine ? [engine.socketPath] : []),
  ];
  return [...new Set(paths.map((path) => resolve(path)))];
}
