import type { ServerConfig } from '../catalog/server-config.ts';
import type { ConfigHash } from './config-hash.ts';
import type { ContainerRows } from './container-rows.ts';
import type { ContainerFacts, ContainerMount, Containers } from './containers.ts';
import type { ImagePins } from './image-pins.ts';
import { layerData } from './layer-data.ts';
import type { VolumeRow, VolumeRows } from './volume-rows.ts';

/**
 * What a server keeps in its container (decision 0016): volumes, folders of the host, and files in the container's writable
 * layer, which go with it.
 */
export interface ContainerData {
  /** What becomes of the server's shared container when it is to be of this config. `config` has its references resolved. */
  fit(config: ServerConfig): Promise<ContainerFit>;
  /** What the server keeps now, all its sessions included. */
  data(server: string): Promise<ServerData>;
}

export interface ContainerFit {
  /** `fits`: made for this config, these values and this image. `other`: it would have to be replaced. */
  readonly container: 'none' | 'fits' | 'other';
  /** What replacing it would lose; undefined: nothing. */
  readonly atRisk: LayerData | undefined;
  /** It has volumes or folders of the host, on which no second container may be. */
  readonly hasVolumes: boolean;
}

/** Files that somebody or the server put into the writable layer of its container. */
export interface LayerData {
  /** The first of them. */
  readonly paths: readonly string[];
  readonly count: number;
}

export interface ServerData {
  readonly volumes: readonly VolumeRow[];
  /** What is not ours: folders of the host, and volumes that were named in the config. */
  readonly mounts: readonly ContainerMount[];
  readonly layer: LayerData | undefined;
}

/** What went with a server. */
export interface RemovedData {
  /** Names of containers. */
  readonly containers: readonly string[];
  /** Names of volumes. */
  readonly volumes: readonly string[];
}

export interface ContainerDataOptions {
  readonly containers: Pick<Containers, 'inspect' | 'image' | 'changes'>;
  readonly rows: Pick<ContainerRows, 'of'>;
  readonly volumeRows: Pick<VolumeRows, 'of'>;
  readonly pins: Pick<ImagePins, 'of'>;
  readonly hashOf: ConfigHash;
}

export function createContainerData(options: ContainerDataOptions): ContainerData {
  const { containers, rows, volumeRows, pins, hashOf } = options;

  async function factsOf(server: string): Promise<ContainerFacts | undefined> {
    for (const { id, sessionId } of rows.of(server)) {
      const facts = sessionId === undefined ? await containers.inspect(id) : undefined;
      if (facts !== undefined) return facts;
    }
    return undefined;
  }

  async function wantedImage(config: ServerConfig): Promise<string | undefined> {
    const pinned = config.imageId ?? (await pins.of(config.name))?.imageId;
    return pinned ?? (await containers.image(config.image ?? ''))?.id;
  }

  async function hasVolumes(config: ServerConfig, imageId: string | undefined): Promise<boolean> {
    if (config.volumes.length > 0) return true;
    const image = await containers.image(imageId ?? config.image ?? '');
    return (image?.volumes.length ?? 0) > 0;
  }

  async function layerOf(id: string | undefined): Promise<LayerData | undefined> {
    return id === undefined ? undefined : layerData(await containers.changes(id));
  }

  return {
    async fit(config) {
      const [facts, imageId] = await Promise.all([factsOf(config.name), wantedImage(config)]);
      const mounted = await hasVolumes(config, imageId);
      if (facts === undefined) return { container: 'none', atRisk: undefined, hasVolumes: mounted };
      const isSame = facts.imageId === imageId && facts.configHash === (await hashOf(config));
      return {
        container: isSame ? 'fits' : 'other',
        atRisk: isSame ? undefined : await layerOf(facts.id),
        hasVolumes: mounted || facts.mounts.length > 0,
      };
    },
    async data(server) {
      const [facts, volumes] = await Promise.all([factsOf(server), volumeRows.of(server)]);
      const own = new Set(volumes.map(({ volume }) => volume));
      return {
        volumes,
        mounts: (facts?.mounts ?? []).filter(({ source }) => !own.has(source)),
        layer: await layerOf(facts?.id),
      };
    },
  };
}
