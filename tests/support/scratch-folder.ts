import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
/** `TMPFS_MAGIC` of statfs(2). */
const tmpfs = 0x01021994;
const wantedBytes = 2 ** 31;

/**
 * Where the embedded databases of tests lie: in memory where Linux has room for them there, because a disk spends seconds
 * of a run on making and removing a thousand files for each; otherwise in the folder for temporary files.
 */
export function scratchFolder(): string {
  try {
    const { type, bavail, bsize } = statfsSync(memory);
    accessSync(memory, constants.W_OK);
    return type === tmpfs && bavail * bsize >= wantedBytes ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
