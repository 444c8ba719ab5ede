// @ts-check
/**
 * The thread that PGlite lives in: it runs each statement without yielding, and would hold up every request
 * on the main thread. Plain JavaScript, because workers load no TypeScript on Node 20. The messages are typed
 * in `node-pglite-worker.ts`.
 */
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

const database = await open(workerData.directory);

/**
 * A new directory is unpacked from a template, which takes a fifth of the time of making one. One that a
 * killed process left half unpacked has no marker and holds nothing yet: it is made again.
 * @param {string} directory
 */
async function open(directory) {
  const dataDir = join(directory, 'pgdata');
  const marker = join(directory, 'complete');
  mkdirSync(directory, { recursive: true });
  closeToOthers(directory);
  if (existsSync(marker)) return PGlite.create({ dataDir });

  rmSync(dataDir, { recursive: true, force: true });
  const template = await import('@electric-sql/pglite-prepopulatedfs');
  const created = await PGlite.create({ dataDir, loadDataDir: await template.dataDir() });
  writeFileSync(marker, '');
  return created;
}

/**
 * Answers of tools lie in it, and PGlite makes its files readable for all. Where the folder is somebody else's, its owner
 * decides.
 * @param {string} directory
 */
function closeToOthers(directory) {
  try {
    chmodSync(directory, 0o700);
  } catch {}
}

/** @type {import('./node-pglite-worker.ts').Operations} */
const operations = {
  async query({ text, values }) {
    if (values) return (await database.query(text, values)).rows;
    return (await database.exec(text)).at(-1)?.rows ?? [];
  },
  async listen({ channel }) {
    await database.listen(channel, (payload) => parentPort?.postMessage({ channel, payload }));
    return [];
  },
  async close() {
    await database.close();
    return [];
  },
};

parentPort?.on('message', async (request) => {
  try {
    // @ts-expect-error the request's own operation takes it
    const rows = await operations[request.operation](request);
    parentPort?.postMessage({ id: request.id, rows });
  } catch (error) {
    const { message, code, severity, constraint, detail } = /** @type {any} */ (error);
    parentPort?.postMessage({ id: request.id, error: { message, code, severity, constraint, detail } });
  }
});
