import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ServerVolume } from '../../config/server-config.ts';
import { Failure } from '../../failure.ts';
import type { ContainerMount } from '../containers.ts';
import type { ContainerStore } from '../store/container-store.ts';
import { isPathAllowed, isVolumeAllowed, type MountRules, plainPath, systemPaths } from './mount-rules.ts';

/** Checks folders of the host and volumes when a config names them, and again before a container mounts them. */
export interface MountCheck {
  /** Fails with `mount_not_allowed`, naming the field; also for administrators and for config files. */
  assertAllowed(volumes: readonly ServerVolume[]): Promise<void>;
}

export interface MountCheckOptions {
  /** `ALLOWED_MOUNTS`. */
  readonly allowed: readonly string[];
  /** Absolute paths of this host: the service's own folders and files, and the engine's socket. */
  readonly guarded: readonly string[];
  /** The mounts of this service's own container, if it runs in one, with the paths of the engine's host. */
  readonly ownMounts: () => Promise<readonly ContainerMount[]>;
}

/**
 * Judges a path as it is written and, where it exists on this host, with its links resolved, since the engine follows
 * links when it starts a container. Links of another host, and of a host outside this service's own container, cannot
 * be checked.
 */
export function createMountCheck(options: MountCheckOptions): MountCheck {
  async function rules(own: readonly ContainerMount[]): Promise<MountRules> {
    const ownFolders = own.filter(({ type }) => type === 'bind').map(({ source }) => source);
    return {
      allowed: await withRealPaths(options.allowed),
      guarded: await withRealPaths([...systemPaths, ...options.guarded, ...ownFolders]),
    };
  }

  return {
    async assertAllowed(volumes) {
      if (volumes.every(({ source }) => source === undefined)) return;
      const own = await options.ownMounts();
      const current = await rules(own);
      for (const [index, { source }] of volumes.entries()) {
        if (source === undefined || (await isAllowed(source, current, own))) continue;
        const field = `volumes.${index}.source`;
        throw new Failure('mount_not_allowed', sentence(field, source), { details: { field } });
      }
    },
  };
}

async function isAllowed(
  source: string,
  rules: MountRules,
  own: readonly ContainerMount[],
): Promise<boolean> {
  if (!source.startsWith('/')) return isVolumeAllowed(source, rules, own);
  return isPathAllowed(source, rules) && isPathAllowed(await realPath(source), rules);
}

function sentence(field: string, source: string): string {
  return source.startsWith('/')
    ? `Field \`${field}\`: this path may not be mounted, as it is not among \`ALLOWED_MOUNTS\`, or holds or is part of ` +
        'what belongs to the system, the engine or this service; choose another folder, or name it in that setting.'
    : `Field \`${field}\`: this volume may not be mounted, as it is not among \`ALLOWED_MOUNTS\`, or belongs to ` +
        'another server or to this service; leave `source` out for a volume of the server’s own.';
}

async function withRealPaths(items: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(items.filter((item) => item.startsWith('/')).map(realPath));
  return [...new Set([...items, ...real])];
}

/** For a missing path, its deepest existing folder. */
async function realPath(path: string): Promise<string> {
  const plain = plainPath(path);
  try {
    return await realpath(plain);
  } catch {
    return plain === '/' ? plain : join(await realPath(dirname(plain)), basename(plain));
  }
}

/**
 * A container store that checks the mounts of every config before it creates a container: files and rows may be older
 * than the setting, and links may have changed.
 */
export function mountChecked(containerStore: ContainerStore, mounts: MountCheck): ContainerStore {
  return {
    ...containerStore,
    async ensure(config, sessionId) {
      await mounts.assertAllowed(config.volumes);
      return await containerStore.ensure(config, sessionId);
    },
    async acquire(config, sessionId) {
      await mounts.assertAllowed(config.volumes);
      return await containerStore.acquire(config, sessionId);
    },
  };
}
