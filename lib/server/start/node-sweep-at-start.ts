import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { jsonNameOf } from '../../files/node-folder.ts';
import { sweepLeftovers } from '../../files/node-leftovers.ts';
import type { Settings } from '../../settings/settings.ts';

/**
 * Takes away what a killed manager left beside config files and secrets, whose temporary file holds every value. Another
 * manager may be at work on the same folders. Groups have a lock, and are swept under it.
 */
export async function sweepAtStart({ configsDir, secrets }: Settings): Promise<void> {
  await sweepLeftovers(configsDir, (target) => jsonNameOf(target) !== undefined);
  if (secrets.method !== 'env_file') return;
  const path = await realpath(secrets.path).catch(() => secrets.path);
  await sweepLeftovers(dirname(path), (target) => target === basename(path));
}
