import { imageRepository } from '../../config/image-reference.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { Failure } from '../../failure.ts';
import { sha256 } from '../../text/sha256.ts';
import { isTryOutName, scratchVolumeName, volumeName } from '../container-names.ts';
import type { ContainerFacts, ContainerMount, Containers, VolumeSpec } from '../containers.ts';
import { volumesAtRisk } from './data-at-risk.ts';
import type { VolumeRow, VolumeRows } from './volume-rows.ts';

/**
 * The volumes that hold servers' data: one for each path that the image declares or the config lists without a source,
 * for each server (or session). A volume's row is written before the volume is created and deleted after it is removed.
 * Volumes outlive containers, images and configs.
 */
export interface ServerVolumes {
  /**
   * The mounts of a container. Creates missing volumes; unnamed volumes of an earlier version's container are reused
   * under the name that the engine gave them.
   * @param declared Paths that the image declares as volumes.
   * @param before The container to replace.
   * @throws Failure `conflict` when a volume of the name has another owner, `data_at_risk` when another image wrote its
   * data.
   */
  mountsFor(wanted: WantedVolumes): Promise<readonly ContainerMount[]>;
  /** The mounts of an existing container of this config; creates nothing. */
  expected(
    config: ServerConfig,
    declared: readonly string[],
    facts: ContainerFacts,
  ): readonly ContainerMount[];
  /** Records the unnamed volumes of an existing container. */
  recordUnnamed(facts: ContainerFacts): Promise<void>;
  /** Paths of existing volumes that another image wrote to. */
  strangePaths(config: ServerConfig): Promise<readonly string[]>;
  /** Assigns data that another image wrote to this config. Resolves with a function that undoes this. */
  inherit(config: ServerConfig): Promise<() => Promise<void>>;
  /** Removes the volumes of a removed temporary container. */
  removeScratch(facts: ContainerFacts): Promise<void>;
  /** Removes rows and volumes of the server, or of one of its sessions. Resolves with the volumes' names. */
  remove(server: string, sessionId?: string): Promise<readonly string[]>;
}

export interface WantedVolumes {
  readonly config: ServerConfig;
  readonly sessionId: string | undefined;
  readonly declared: readonly string[];
  readonly before: ContainerFacts | undefined;
  /** The name of a temporary container. */
  readonly scratchFor: string | undefined;
}

export function createServerVolumes({
  containers,
  rows,
}: {
  readonly containers: Pick<Containers, 'volume' | 'volumes' | 'createVolume' | 'removeVolume'>;
  readonly rows: VolumeRows;
}): ServerVolumes {
  /** Resolves with the volume's name. Never mounts another server's data by mistake. */
  async function create(volume: VolumeSpec): Promise<string> {
    const name = await containers.createVolume(volume);
    const found = await containers.volume(name);
    if (found?.server === volume.server) return name;
    const sentence = `There is a volume named \`${name}\` that is not this server’s; remove it, or choose another name for the server.`;
    throw new Failure('conflict', sentence);
  }

  async function scratch(container: string, path: string, server: string): Promise<string> {
    return await create({ name: await scratchVolumeName(container, path), server, sessionId: undefined });
  }

  /** The row is deleted first: a volume without a row is a leftover. */
  async function createKept(row: VolumeRow): Promise<string> {
    const { server, sessionId, volume: name } = row;
    await rows.add(row);
    const volume = await create({ name, server, sessionId });
    if (volume !== name) await rows.add({ ...row, volume });
    return volume;
  }

  async function persistent(path: string, { config, sessionId, before }: WantedVolumes): Promise<string> {
    const { name: server } = config;
    const origin = await dataOrigin(config);
    const stored = (await rows.of(server)).find((row) => row.path === path && row.sessionId === sessionId);
    if (stored !== undefined) {
      if (stored.origin !== origin) throw volumesAtRisk(server, [path], false);
      return (await containers.volume(stored.volume)) ? stored.volume : await createKept(stored);
    }
    const row = { server, sessionId, path, origin };
    const unnamed = before?.mounts.find((mount) => mount.path === path && isUnnamed(mount));
    if (unnamed === undefined)
      return await createKept({ ...row, volume: await volumeName(server, sessionId, path) });
    await rows.add({ ...row, volume: unnamed.source });
    return unnamed.source;
  }

  async function removeRow(row: VolumeRow): Promise<void> {
    await containers.removeVolume(row.volume);
    await rows.remove(row);
  }

  return {
    async mountsFor(wanted) {
      const { config, declared, scratchFor } = wanted;
      const mounts = givenMounts(config);
      for (const { path, readOnly } of ownPaths(config, declared)) {
        const source = scratchFor
          ? await scratch(scratchFor, path, config.name)
          : await persistent(path, wanted);
        mounts.push({ type: 'volume', source, path, readOnly });
      }
      return mounts;
    },
    expected(config, declared, facts) {
      const sourceAt = (path: string) => facts.mounts.find((mount) => mount.path === path)?.source ?? '';
      const own = ownPaths(config, declared).map(({ path, readOnly }): ContainerMount => {
        return { type: 'volume', source: sourceAt(path), path, readOnly };
      });
      return [...givenMounts(config), ...own];
    },
    async recordUnnamed({ server, sessionId, mounts, reference }) {
      const unnamed = mounts.filter(isUnnamed);
      if (unnamed.length === 0) return;
      const known = await rows.of(server);
      const origin = await dataOrigin({ image: reference });
      for (const { source: volume, path } of unnamed) {
        const isStored = known.some((row) => row.path === path && row.sessionId === sessionId);
        if (!isStored) await rows.add({ server, sessionId, path, volume, origin });
      }
    },
    async strangePaths(config) {
      const origin = await dataOrigin(config);
      return (await rows.of(config.name)).filter((row) => row.origin !== origin).map(({ path }) => path);
    },
    async inherit(config) {
      const origin = await dataOrigin(config);
      const before = (await rows.of(config.name)).filter((row) => row.origin !== origin);
      for (const row of before) await rows.add({ ...row, origin });
      return async () => {
        for (const row of before) await rows.add(row);
      };
    },
    async removeScratch({ mounts }) {
      for (const { type, source } of mounts) {
        if (type === 'volume' && isTryOutName(source)) await containers.removeVolume(source);
      }
    },
    async remove(server, sessionId) {
      const stored = await rows.of(server);
      const wanted = stored.filter((row) => sessionId === undefined || row.sessionId === sessionId);
      for (const row of wanted) await removeRow(row);
      const names = wanted.map(({ volume }) => volume);
      // The volumes that a service labelled but did not record before it ended.
      const strays = sessionId === undefined ? await containers.volumes() : [];
      for (const { name } of strays.filter((each) => each.server === server && !names.includes(each.name))) {
        await containers.removeVolume(name);
        names.push(name);
      }
      return names;
    },
  };
}

/** A volume that the engine created and named for a container of an earlier version. */
function isUnnamed({ type, source }: ContainerMount): boolean {
  return type === 'volume' && /^[0-9a-f]{64}$/.test(source);
}

/** The origin of the data: the image, whatever its tag, arguments and environment. */
function dataOrigin({ image }: Pick<ServerConfig, 'image'>): Promise<string> {
  return sha256(imageRepository(image ?? ''));
}

function givenMounts({ volumes }: ServerConfig): ContainerMount[] {
  return volumes.flatMap(({ path, source, readOnly }) => {
    if (source === undefined) return [];
    return [{ type: source.startsWith('/') ? 'bind' : 'volume', source, path, readOnly } as const];
  });
}

/** Without paths at which the config mounts something else. */
function ownPaths({ volumes }: ServerConfig, declared: readonly string[]) {
  const listed = new Set(volumes.map(({ path }) => path));
  const own = volumes.filter(({ source }) => source === undefined);
  const ofImage = declared.filter((path) => !listed.has(path)).map((path) => ({ path, readOnly: false }));
  return [...own, ...ofImage];
}
