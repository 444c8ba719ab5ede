import { readdir, readFile } from 'node:fs/promises';
import type { Migration } from './migrate.ts';

const folder = new URL('./migrations/', import.meta.url);

/** The migrations that ship with this version, in the order of their numbers. */
export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return await Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -'.sql'.length),
      sql: await readFile(new URL(file, folder), 'utf8'),
    })),
  );
}
