import type { Containers } from './containers.ts';
import { abortable, type DockerClient, isRefusal, unlessGone } from './node-docker-client.ts';

/**
 * Tags of our own for images that servers may go back to: `docker image prune` takes what has none. The server's name is the
 * tag, for a repository may not have capital letters.
 */
export function createDockerImageTags(
  client: DockerClient,
  deploymentId: string,
): Pick<Containers, 'keepImage' | 'dropImage'> {
  const repo = `svc-mcp-kept/${deploymentId}`;

  return {
    async keepImage(server, imageId) {
      await unlessGone(() =>
        client.run((docker, abortSignal) =>
          docker.getImage(imageId).tag(abortable({ repo, tag: server }, abortSignal)),
        ),
      );
    },
    async dropImage(server) {
      try {
        await unlessGone(() =>
          client.run((docker, abortSignal) =>
            docker.getImage(`${repo}:${server}`).remove(abortable({}, abortSignal)),
          ),
        );
      } catch (error) {
        // It is its last name and a container is made from it.
        if (!isRefusal(error, 409)) throw error;
      }
    },
  };
}
