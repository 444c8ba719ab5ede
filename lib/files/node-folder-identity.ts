import { stat } from 'node:fs/promises';

/**
 * Which folder lies at this path, for as long as it exists, over renames and boots; undefined when none does. Inode numbers
 * are used again, so a folder that was made anew is told by its birth. Device numbers are given out anew at each boot, and
 * count only on file systems that know no birth.
 */
export async function folderIdentity(path: string): Promise<string | undefined> {
  return stat(path, { bigint: true }).then(
    ({ dev, ino, birthtimeNs }) => (birthtimeNs > 0n ? `${ino}:${birthtimeNs}` : `${ino}@${dev}`),
    () => undefined,
  );
}
