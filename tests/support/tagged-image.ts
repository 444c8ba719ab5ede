/** An image reference of a test's own at the test bed's registry, under which it puts one image after the other. */
import type Docker from 'dockerode';
import { testImage } from './testbed.ts';

export interface TaggedImage {
  readonly reference: string;
  /** `host:port` */
  readonly registry: string;
  /** The registry has this image of the test bed under the reference from now on; nothing changes on the engine. */
  push(which: string): Promise<void>;
  /** The engine has it under the reference, whatever the registry has. */
  tagLocally(which: string): Promise<void>;
  /** Takes its names off the engine. */
  close(): Promise<void>;
}

const type = 'application/vnd.docker.distribution.manifest.v2+json';

/** @param repository Of nobody else, such as `mcp/mine`. */
export async function startTaggedImage(docker: Docker, repository: string): Promise<TaggedImage> {
  const [host = ''] = testImage('memory').split('/');
  const api = `http://${host}/v2`;
  const reference = `${host}/${repository}:1`;

  async function mount(digest: string, which: string): Promise<void> {
    const url = `${api}/${repository}/blobs/uploads/?mount=${digest}&from=mcp/${which}`;
    const { status } = await fetch(url, { method: 'POST' });
    if (status !== 201) throw new Error(`a layer of ${which} could not be mounted: ${status}`);
  }

  return {
    reference,
    registry: host,
    async push(which) {
      const found = await fetch(`${api}/mcp/${which}/manifests/1`, { headers: { accept: type } });
      const text = await found.text();
      const manifest = JSON.parse(text);
      for (const { digest } of [manifest.config, ...manifest.layers]) await mount(digest, which);
      const stored = await fetch(`${api}/${repository}/manifests/1`, {
        method: 'PUT',
        headers: { 'content-type': found.headers.get('content-type') ?? type },
        body: text,
      });
      if (!stored.ok) throw new Error(`${which} could not be pushed: ${await stored.text()}`);
    },
    async tagLocally(which) {
      const stream = await docker.pull(testImage(which));
      await new Promise((resolve) => docker.modem.followProgress(stream, resolve));
      await docker.getImage(testImage(which)).tag({ repo: `${host}/${repository}`, tag: '1' });
    },
    async close() {
      const isOurs = (name: string) => name.includes(`/${repository}:`) || name.includes(`/${repository}@`);
      for (const { RepoTags, RepoDigests } of await docker.listImages()) {
        for (const name of [...(RepoTags ?? []), ...(RepoDigests ?? [])].filter(isOurs)) {
          await docker
            .getImage(name)
            .remove()
            .catch(() => {});
        }
      }
    },
  };
}
