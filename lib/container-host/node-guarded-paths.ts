import { join, resolve } from 'node:path';
import { parseDockerHost } from '../containers/docker/docker-host.ts';
import { sourcesFolder } from '../home/node-home.ts';
import type { Settings } from '../settings/settings.ts';

/** Paths of this host that no server may mount: they give access to the engine, the secrets, or the registrations. */
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
