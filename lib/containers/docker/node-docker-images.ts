import { type Failure, toFailure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import type { Containers } from '../containers.ts';
import type { RegistryCredentials } from '../credentials/registry-credentials.ts';
import { isEngineUnavailable } from './engine-failures.ts';
import { abortable, type DockerClient, unlessGone } from './node-docker-client.ts';
import { factsOfImage } from './node-docker-facts.ts';
import { pullImage } from './node-docker-pull.ts';

/** The engine's images: what is here, and what a registry has. */
export function createDockerImages(
  client: DockerClient,
  credentials: RegistryCredentials,
  log: Log,
): Pick<Containers, 'pull' | 'image'> {
  return {
    async image(image) {
      const info = await unlessGone(() =>
        client.run((docker, abortSignal) => docker.getImage(image).inspect(abortable({}, abortSignal))),
      );
      return info && factsOfImage(info);
    },
    async pull(image, onProgress, signal) {
      const found = await credentials.find(image);
      try {
        await pullImage(client, { image, credentials: found }, onProgress, signal);
      } catch (error) {
        if (!signal.aborted && !isEngineUnavailable(error)) notify(toFailure(error), image, found.troubles);
        throw error;
      }
    },
  };

  function notify({ message, cause }: Failure, image: string, troubles: readonly string[]): void {
    log.warn({ image, reason: String(cause), ...(troubles.length > 0 ? { troubles } : {}) }, message);
  }
}
