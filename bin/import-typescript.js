// Imports a TypeScript entry point on every Node we support. From 22.18 on Node reads it itself. Before, esbuild
// bundles it, once until a source changes: loading two hundred files through a hook costs a second at each start.
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { nodeBundle } from './node-bundle.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'svc-mcp');
const keptAfterUseMs = 600_000;

/**
 * @param {string} entry relative to the project, such as `server.ts`
 * @returns {Promise<any>} the module's namespace
 */
export async function importTypeScript(entry) {
  if (process.features.typescript) {
    nodeModule.enableCompileCache?.();
    return import(pathToFileURL(join(root, entry)).href);
  }
  const name = entry.replace(/\W/g, '-');
  const bundle = readBundle(name) ?? (await makeBundle(entry, name));
  return import(pathToFileURL(join(cache, bundle)).href);
}

/** The latest bundle, if every source is as it was when it was made. */
function readBundle(name) {
  try {
    const { bundle, sources } = JSON.parse(readFileSync(join(cache, `${name}.json`), 'utf8'));
    return sources.every(([path, changed]) => statSync(join(root, path)).mtimeMs === changed)
      ? bundle
      : undefined;
  } catch {
    return undefined;
  }
}

/** Each in a folder of its own, which nobody changes: processes that start at once do not disturb each other. */
async function makeBundle(entry, name) {
  const esbuild = nodeModule.createRequire(import.meta.url)('esbuild');
  const folder = `${name}-${process.pid}-${Date.now()}`;
  const { metafile } = await esbuild.build({
    ...nodeBundle,
    entryPoints: [{ in: entry, out: 'main' }],
    outdir: join(cache, folder),
    metafile: true,
  });
  const bundle = join(folder, 'main.mjs');
  const sources = Object.keys(metafile.inputs).map((path) => [path, statSync(join(root, path)).mtimeMs]);
  const aside = join(cache, `${folder}.json`);
  writeFileSync(aside, JSON.stringify({ bundle, sources }));
  renameSync(aside, join(cache, `${name}.json`));
  removeOldBundles(name);
  return bundle;
}

function removeOldBundles(name) {
  for (const entry of readdirSync(cache, { withFileTypes: true })) {
    const path = join(cache, entry.name);
    const isOld = () => Date.now() - statSync(path).mtimeMs > keptAfterUseMs;
    if (entry.isDirectory() && entry.name.startsWith(`${name}-`) && isOld())
      rmSync(path, { recursive: true });
  }
}
