import type { Containers } from '../containers.ts';
import { type CreateOptions, createBody } from './create-body.ts';
import { type ImageDefaults, isMadeLike, type MadeContainer } from './made-like.ts';
import { abortable, type DockerClient, unlessGone } from './node-docker-client.ts';

/** Compares a container with what is asked for, values included, which are let out to nobody. */
export function createDockerLikeness(
  client: DockerClient,
  options: Omit<CreateOptions, 'project'>,
): Pick<Containers, 'isMadeLike'> {
  return {
    async isMadeLike(id, spec) {
      const made = await unlessGone(() =>
        client.run((docker, abortSignal) => docker.getContainer(id).inspect({ abortSignal })),
      );
      if (made === undefined) return false;
      const image = await unlessGone(() =>
        client.run((docker, abortSignal) => docker.getImage(made.Image).inspect(abortable({}, abortSignal))),
      );
      if (image === undefined) return false;
      const container = made as unknown as MadeContainer;
      return isMadeLike(
        container,
        image.Config as ImageDefaults,
        createBody(spec, { ...options, project: undefined }),
      );
    },
  };
}
