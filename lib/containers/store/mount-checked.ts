import type { MountCheck } from '../mounts/mount-check.ts';
import type { ContainerStore } from './container-store.ts';

/**
 * A keeper that gives no container what may not be mounted, whatever road its config came by: files and rows may be older
 * than the setting, and links may have been changed since.
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
