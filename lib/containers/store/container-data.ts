import type { ServerConfig } from '../../config/server-config.ts';
import { isRetiredName, isTryOutName } from '../container-names.ts';
import type { ContainerFacts, ContainerMount, Containers } from '../containers.ts';
import type { WantedImage } from '../images/present-image.ts';
import type { ContainerRows } from './container-rows.ts';
import type { LayerData } from './data-at-risk.ts';
import type { ConfigHash, FitsConfig } from './fits-config.ts';
import { layerOf } from './replacements.ts';
import type { ServerVolumes } from './server-volumes.ts';
import type { VolumeRow, VolumeRows } from './volume-rows.ts';

/**
 * The persistent data of a server's containers (decision 0016): volumes, folders of the host, and files in the
 * container's writable layer, which are removed with the container.
 */
export interface ContainerData {
  /** How the server's shared container would change for this config. `config` has its references resolved. */
  fit(config: ServerConfig): Promise<ContainerFit>;
  /** The server's present data, all its sessions included. */
  data(server: string): Promise<ServerData>;
}

export interface ContainerFit {
  /** `fits`: made for this config, these values and this image. `other`: would have to be replaced. */
  readonly container: 'none' | 'fits' | 'other';
  /** The data that a replacement would lose; undefined: none. */
  readonly atRisk: LayerData | undefined;
  /** The container has volumes or folders of the host, which a second container must not share. */
  readonly hasVolumes: boolean;
  /** Paths of existing volumes that another image wrote to. */
  readonly strangePaths: readonly string[];
  /** The image to create the container from; undefined: an image that is not on this engine. */
  readonly imageId: string | undefined;
}

export interface ServerData {
  readonly volumes: readonly VolumeRow[];
  /** Data of other owners: folders of the host, and volumes that the config names. */
  readonly mounts: readonly ContainerMount[];
  readonly layer: LayerData | undefined;
}

/** The objects that were removed with a server. */
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
  readonly serverVolumes: Pick<ServerVolumes, 'strangePaths'>;
  readonly wantedImage: WantedImage;
  readonly fits: FitsConfig;
  readonly hashOf: ConfigHash;
}

export function createContainerData(options: ContainerDataOptions): ContainerData {
  const { containers, rows, volumeRows, serverVolumes, wantedImage, fits, hashOf } = options;

  /** Without candidates and replaced containers. */
  async function presentOf(server: string): Promise<ContainerFacts[]> {
    const found = await Promise.all(rows.of(server).map(({ id }) => containers.inspect(id)));
    const isItsOwn = ({ name }: ContainerFacts) => !isTryOutName(name) && !isRetiredName(name);
    return found.filter((facts) => facts !== undefined).filter(isItsOwn);
  }

  async function hasVolumes(config: ServerConfig, imageId: string | undefined): Promise<boolean> {
    if (config.volumes.length > 0) return true;
    const image = await containers.image(imageId ?? config.image ?? '');
    return (image?.volumes.length ?? 0) > 0;
  }

  async function firstLayer(present: readonly ContainerFacts[]): Promise<LayerData | undefined> {
    for (const facts of present) {
      const layer = await layerOf(containers, facts);
      if (layer !== undefined) return layer;
    }
    return undefined;
  }

  /** The volumes that are not made for the config, or for a session without volumes of its own. */
  async function othersOf(config: ServerConfig, present: readonly ContainerFacts[], imageId?: string) {
    const hash = await hashOf(config);
    const others: ContainerFacts[] = [];
    for (const facts of present) {
      const isOfItsKind = (facts.sessionId === undefined) === (config.sessionMode === 'stateless');
      if (!isOfItsKind || !(await fits(facts, { config, hash, imageId }))) others.push(facts);
    }
    return others;
  }

  return {
    async fit(config) {
      const present = await presentOf(config.name);
      const imageId = await wantedImage(config, present);
      const others = await othersOf(config, present, imageId);
      const isMounted = present.some(({ mounts }) => mounts.length > 0);
      const fitting = others.length === 0 ? 'fits' : 'other';
      return {
        container: present.length === 0 ? 'none' : fitting,
        atRisk: await firstLayer(others),
        hasVolumes: isMounted || (await hasVolumes(config, imageId)),
        strangePaths: await serverVolumes.strangePaths(config),
        imageId,
      };
    },
    async data(server) {
      const [present, volumes] = await Promise.all([presentOf(server), volumeRows.of(server)]);
      const own = new Set(volumes.map(({ volume }) => volume));
      const mounts = present.flatMap((facts) => facts.mounts).filter(({ source }) => !own.has(source));
      return {
        volumes,
        mounts: mounts.filter(({ source }) => !isTryOutName(source)),
        layer: await firstLayer(present),
      };
    },
  };
}
