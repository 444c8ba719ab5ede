import { readdir, stat } from 'node:fs/promises';

const ending = '.json';

/** The name without `.json` of such a file; undefined for other files, hidden ones (editors' own) among them. */
export function jsonNameOf(file: string): string | undefined {
  return file.endsWith(ending) && !file.startsWith('.') ? file.slice(0, -ending.length) : undefined;
}

/** Sorted. By listing, so that names are exact on file systems that ignore case. */
export async function listJsonNames(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).map(jsonNameOf);
  return names.filter((name) => name !== undefined).sort();
}

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
