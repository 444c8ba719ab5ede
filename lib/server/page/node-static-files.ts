import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { withoutComments } from './page-source.ts';
import type { StaticFile, StaticFiles } from './static-files.ts';

/** The kinds of file of the dashboard. Other files in the folder are not served. */
const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/**
 * Reads every file under `directory` once, at start; changes are served after a restart.
 * @param others Further files, by path.
 */
export async function readStaticFiles(
  directory: string,
  others: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<StaticFiles> {
  const files = new Map<string, StaticFile>();
  const add = (path: string, bytes: Uint8Array) => {
    const contentType = contentTypes[extname(path)];
    if (contentType !== undefined) files.set(path, { bytes, contentType, etag: etagOf(bytes) });
  };
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !(extname(entry.name) in contentTypes)) continue;
    const path = join(entry.parentPath, entry.name);
    add(relative(directory, path).split(sep).join('/'), await readSource(path));
  }
  for (const [path, bytes] of others) add(path, bytes);
  return { read: (path) => files.get(path) };
}

async function readSource(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path);
  return /\.(js|css)$/.test(path) ? Buffer.from(withoutComments(bytes.toString('utf8'))) : bytes;
}

function etagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
}
