import type { ServerConfig } from '../catalog/server-config.ts';
import { Failure } from '../http/failure.ts';
import { pause } from '../pause.ts';
import type { ContainerRows } from './container-rows.ts';
import { containerSpec } from './container-spec.ts';
import type { ContainerSpec, Containers } from './containers.ts';

/**
 * Creates a container and stores whose it is. The name is the engine's own lock against duplicates: a leftover of
 * ours that has it (we ended between creating and storing) gives way, anybody else's container does not.
 */
export interface MakeContainerOptions {
  readonly containers: Containers;
  readonly rows: ContainerRows;
  readonly isHeld: (id: string) => boolean;
  /** The service ends: no pull goes on. */
  readonly ended: AbortSignal;
}

export type MakeContainer = (
  config: ServerConfig,
  identity: Pick<ContainerSpec, 'name' | 'sessionId' | 'configHash'>,
) => Promise<string>;

/** A container that is being removed keeps its name until it is gone. */
const mostAttempts = 30;
const pauseMs = 100;

export function createMakeContainer({
  containers,
  rows,
  isHeld,
  ended,
}: MakeContainerOptions): MakeContainer {
  async function createUnderName(spec: ContainerSpec): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await containers.create(spec);
      } catch (error) {
        const isTaken = error instanceof Failure && error.code === 'conflict';
        if (!isTaken || attempt === mostAttempts || !(await isGivingWay(spec.name))) throw error;
        await pause(pauseMs);
      }
    }
  }

  /** False: whoever has the name keeps it. */
  async function isGivingWay(name: string): Promise<boolean> {
    const holder = (await containers.list()).find((facts) => facts.name === name);
    if (holder === undefined || isHeld(holder.id) || rows.find(holder.id) !== undefined) return false;
    await containers.remove(holder.id);
    return true;
  }

  return async (config, identity) => {
    const isHere = config.imageId !== undefined && (await containers.image(config.imageId)) !== undefined;
    const spec = containerSpec(config, isHere ? { ...identity, image: config.imageId } : identity);
    // It was there when the server was registered; somebody tidied up.
    if ((await containers.image(spec.image)) === undefined)
      await containers.pull(spec.image, () => {}, ended);
    const id = await createUnderName(spec);
    const { server, sessionId, configHash } = spec;
    try {
      await rows.add({ id, server, sessionId, configHash });
    } catch (error) {
      await containers.remove(id).catch(() => {});
      throw error;
    }
    return id;
  };
}
