import type { ServerVolume } from '../../config/server-config.ts';

/** Asked whenever somebody names a folder of the host or a volume, and again before a container gets it. */
export interface MountCheck {
  /** Fails with `mount_not_allowed`, naming the field; also for administrators and for config files. */
  assertAllowed(volumes: readonly ServerVolume[]): Promise<void>;
}
