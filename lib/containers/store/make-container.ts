import { pause } from '../../async/wait.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { Failure } from '../../failure.ts';
import type { ContainerFacts, ContainerSpec, Containers } from '../containers.ts';
import type { ContainerRows } from './container-rows.ts';

/**
 * @param config With its references resolved.
 * @param identity With the image, by id where it is pinned, and the mounts.
 */
export function containerSpec(
  config: ServerConfig,
  identity: Pick<ContainerSpec, 'name' | 'sessionId' | 'configHash'> &
    Partial<Pick<ContainerSpec, 'image' | 'mounts'>>,
): ContainerSpec {
  const { memoryMb, cpus, pids } = config.limits;
  return {
    image: config.image ?? '',
    reference: config.image ?? '',
    mounts: [],
    ...identity,
    server: config.name,
    entrypoint: config.entrypoint,
    shmMb: config.shmMb,
    capabilities: config.capabilities,
    // Both are the container's Cmd; the image's entrypoint stays unless one is given (docs/containers.md).
    command: config.command === undefined ? config.args : [config.command, ...config.args],
    env: config.env,
    limits: { memoryMb, cpus, pids },
    network: config.network,
    readOnly: config.readOnly,
    user: config.user,
    port: config.transport === 'stdio' ? undefined : config.port,
  };
}

/**
 * Creates a container and stores its row. The name is the engine's lock against duplicates: a container of ours without
 * a row (the service ended between creating and storing) is removed; beside a foreign one ours gets another name.
 */
export interface MakeContainerOptions {
  readonly containers: Containers;
  readonly rows: ContainerRows;
  readonly isLeased: (id: string) => boolean;
}

/** @param spec With the id of an image on this engine. */
export type MakeContainer = (spec: ContainerSpec) => Promise<ContainerFacts>;

/** A container retains its name until its removal is complete. */
const mostAttempts = 30;
const pauseMs = 100;

export function createMakeContainer({ containers, rows, isLeased }: MakeContainerOptions): MakeContainer {
  async function createUnderName(spec: ContainerSpec): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await containers.create(spec);
      } catch (error) {
        const isTaken = error instanceof Failure && error.code === 'conflict';
        const name = isTaken ? (error.details?.container_name ?? spec.name) : undefined;
        if (attempt === mostAttempts || !(await isGivingWay(name))) throw error;
        await pause(pauseMs);
      }
    }
  }

  /** False: the container with the name stays. */
  async function isGivingWay(name: unknown): Promise<boolean> {
    if (name === undefined) return false;
    const other = (await containers.list()).find((facts) => facts.name === name);
    if (other === undefined || isLeased(other.id) || rows.find(other.id) !== undefined) return false;
    // A container that has run may hold data: the reaper decides about it.
    if (other.status !== 'created') return false;
    await containers.remove(other.id);
    return true;
  }

  async function inspected(id: string): Promise<ContainerFacts> {
    const facts = await containers.inspect(id);
    if (facts === undefined) throw new Error('a container was removed as soon as it was created');
    return facts;
  }

  /** The tag's name, which reads well in the engine's own lists, as long as the tag names this very image. */
  async function create(spec: ContainerSpec): Promise<ContainerFacts> {
    const tagged = await containers.image(spec.reference);
    if (tagged?.id !== spec.image) return inspected(await createUnderName(spec));
    const facts = await inspected(await createUnderName({ ...spec, image: spec.reference }));
    if (facts.imageId === spec.image) return facts;
    // The tag has moved meanwhile.
    await containers.remove(facts.id);
    return inspected(await createUnderName(spec));
  }

  return async (spec) => {
    const facts = await create(spec);
    const { server, sessionId, configHash } = spec;
    try {
      await rows.add({ id: facts.id, server, sessionId, configHash });
    } catch (error) {
      await containers.remove(facts.id).catch(() => {});
      throw error;
    }
    return facts;
  };
}
