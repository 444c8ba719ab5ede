import { sha256 } from '../../text/sha256.ts';
import type { Containers } from '../containers.ts';
import { abortable, type DockerClient, isRefusal, unlessGone } from './node-docker-client.ts';

/**
 * Tags of ours on the images of servers, `svc-mcp-kept/<deployment>/<server>:<first digits of the id>`: an image whose own
 * tag has moved on would otherwise be taken by `docker image prune`.
 */
export function createDockerPinnedImages(
  client: DockerClient,
  deploymentId: string,
): Pick<Containers, 'keepImages'> {
  async function tagsOf(repo: string): Promise<string[]> {
    const filters = JSON.stringify({ reference: [repo] });
    const listed = await client.run((docker, abortSignal) =>
      docker.listImages(abortable({ filters }, abortSignal)),
    );
    return listed.flatMap(({ RepoTags: tags }) => tags ?? []).filter((tag) => tag.startsWith(`${repo}:`));
  }

  async function untag(tag: string): Promise<void> {
    try {
      await unlessGone(() =>
        client.run((docker, abortSignal) => docker.getImage(tag).remove(abortable({}, abortSignal))),
      );
    } catch (error) {
      // Its last tag, and a container is made from it: it goes on being kept.
      if (!isRefusal(error, 409)) throw error;
    }
  }

  return {
    async keepImages(server, imageIds) {
      const repo = `svc-mcp-kept/${deploymentId}/${await lowerCase(server)}`;
      const wanted = new Map(imageIds.map((id) => [`${repo}:${id.replace(/^.*:/, '').slice(0, 12)}`, id]));
      const present = await tagsOf(repo);
      for (const [name, id] of wanted) {
        if (present.includes(name)) continue;
        const tag = name.slice(repo.length + 1);
        await unlessGone(() =>
          client.run((docker, abortSignal) => docker.getImage(id).tag(abortable({ repo, tag }, abortSignal))),
        );
      }
      for (const name of present) if (!wanted.has(name)) await untag(name);
    },
  };
}

/** Names of images have no capitals, those of servers may; two that differ in nothing else stay apart. */
async function lowerCase(server: string): Promise<string> {
  const name = server.toLowerCase();
  return name === server ? name : `${name}-${(await sha256(server)).slice(0, 8)}`;
}
