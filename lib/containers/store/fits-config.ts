import type { ServerConfig } from '../../config/server-config.ts';
import { containerSpec } from '../container-spec.ts';
import type { ContainerFacts, Containers } from '../containers.ts';
import type { ServerVolumes } from './server-volumes.ts';

/** Whether a container is made of this config, its values included, and of this image. */
export type FitsConfig = (
  facts: ContainerFacts,
  wanted: {
    /** With its references resolved. */
    readonly config: ServerConfig;
    /** Of the config. */
    readonly hash: string;
    readonly imageId: string | undefined;
  },
) => Promise<boolean>;

/** By its hash, else, where that was made with another key, by what the engine says of it. */
export function createFitsConfig({
  containers,
  serverVolumes,
}: {
  readonly containers: Pick<Containers, 'image' | 'isMadeLike'>;
  readonly serverVolumes: Pick<ServerVolumes, 'expected'>;
}): FitsConfig {
  return async (facts, { config, hash, imageId }) => {
    if (imageId === undefined || facts.imageId !== imageId) return false;
    if (facts.configHash === hash) return true;
    const declared = (await containers.image(imageId))?.volumes ?? [];
    const mounts = serverVolumes.expected(config, declared, facts);
    const { name, sessionId } = facts;
    const identity = { name, sessionId, configHash: hash, mounts };
    return await containers.isMadeLike(facts.id, containerSpec(config, identity));
  };
}
