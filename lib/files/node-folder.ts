import { readdir, stat } from 'node:fs/promises';

const ending = '.json';

/** The name of a JSON file without `.json`; undefined for other files and for hidden ones, such as editors' own. */
export function jsonNameOf(file: string): string | undefined {
  return file.endsWith(ending) && !file.startsWith('.') ? file.slice(0, -ending.length) : undefined;
}

/** Sorted. Read from the folder, so that names are exact on file systems that ignore case. */
export async function listJsonNames(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).map(jsonNameOf);
  return names.filter((name) => name !== undefined).sort();
}

/**
 * The identity of the folder at this path, stable over renames and boots; undefined when there is none. Inode numbers are
 * reused, so the time of birth tells a recreated folder. Device numbers change at each boot, and count only on file
 * systems without times of birth.
 */
export async function folderIdentity(path: string): Promise<string | undefined> {
  return stat(path, { bigint: true }).then(
    ({ dev, ino, birthtimeNs }) => (birthtimeNs > 0n ? `${ino}:${birthtimeNs}` : `${ino}@${dev}`),
    () => undefined,
  );
}
