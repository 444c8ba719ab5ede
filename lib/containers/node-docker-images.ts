import type { Log } from '../observe/log.ts';
import type { Containers } from './containers.ts';
import { abortable, type DockerClient, unlessGone } from './node-docker-client.ts';
import { factsOfImage } from './node-docker-facts.ts';
import { pullImage } from './node-docker-pull.ts';

/** The engine's images: what is here, and what a registry has. */
export function createDockerImages(client: DockerClient, log: Log): Pick<Containers, 'pull' | 'image'> {
  const inspect = (image: string) =>
    unlessGone(() =>
      client.run((docker, abortSignal) => docker.getImage(image).inspect(abortable({}, abortSignal))),
    );

  return {
    async image(image) {
      const info = await inspect(image);
      return info && factsOfImage(info);
    },
    async pull(image, onProgress, signal) {
      const problem = await pullImage(client, image, onProgress, signal);
      if (problem === undefined) return;
      const reason = String(problem.failure.cause);
      const local = await inspect(image);
      // One that was built here was never in a registry.
      const isUsable =
        local !== undefined && (problem.isUnreachable || (local.RepoDigests ?? []).length === 0);
      log.warn({ image, reason }, isUsable ? 'The local image is used.' : problem.failure.message);
      if (!isUsable) throw problem.failure;
    },
  };
}
