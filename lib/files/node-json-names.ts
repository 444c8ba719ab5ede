import { readdir } from 'node:fs/promises';

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
