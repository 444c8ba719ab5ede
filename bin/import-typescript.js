// Imports a TypeScript entry point on every Node we support. From 22.18 on Node reads it itself. Before, esbuild
// bundles it, once until a source changes: loading two hundred files through a hook costs a second at each start.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleCache, removeUnusedCaches } from './bundle-cache.js';
import { nodeBundle } from './node-bundle.js';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Inputs of a bundle besides the sources; npm writes the last one when it installs packages, whose files a bundle names. */
const ownInputs = ['bin/node-bundle.js', 'bin/import-typescript.js', 'node_modules/.package-lock.json'];
const keptAfterUseMs = 600_000;

/**
 * @param {string} entry relative to the project, such as `server.ts`
 * @returns {Promise<any>} the module's namespace
 */
export async function importTypeScript(entry) {
  const source = pathToFileURL(join(root, entry)).href;
  if (process.features.typescript) {
    nodeModule.enableCompileCache?.();
    return import(source);
  }
  endWithoutEsbuild();
  const bundle = await bundleOf(entry);
  if (bundle === undefined) nodeModule.register('./typescript-hook.js', import.meta.url);
  return import(bundle ?? source);
}

function endWithoutEsbuild() {
  try {
    nodeModule.createRequire(import.meta.url).resolve('esbuild');
  } catch {
    console.error(
      'Before Node 22.18 a checkout needs its development packages, too: run `npm ci` without leaving any out.',
    );
    process.exit(1);
  }
}

/** Undefined where no bundle can be made or stored. */
async function bundleOf(entry) {
  const cache = bundleCache(root);
  if (cache === undefined) return undefined;
  const name = entry.replace(/\W/g, '-');
  try {
    const bundle = readBundle(cache, name) ?? (await makeBundle(cache, entry, name));
    return pathToFileURL(join(cache, bundle)).href;
  } catch {
    return undefined;
  }
}

/** The latest bundle, if no source has changed since. */
function readBundle(cache, name) {
  try {
    const { bundle, sources } = JSON.parse(readFileSync(join(cache, `${name}.json`), 'utf8'));
    return sources.every(([path, state]) => stateOf(path) === state) ? bundle : undefined;
  } catch {
    return undefined;
  }
}

/** `ctime` counts as well: files of a package have the same `mtime` in every version. */
function stateOf(path) {
  const { mtimeMs, ctimeMs, size } = statSync(join(root, path));
  return `${mtimeMs} ${ctimeMs} ${size}`;
}

/** Each bundle has a folder of its own, which never changes: processes that start at once do not disturb each other. */
async function makeBundle(cache, entry, name) {
  const esbuild = nodeModule.createRequire(import.meta.url)('esbuild');
  const folder = `${name}-${process.pid}-${Date.now()}`;
  const { metafile } = await esbuild.build({
    ...nodeBundle,
    entryPoints: [{ in: entry, out: 'main' }],
    outdir: join(cache, folder),
    metafile: true,
    // Errors in a source are reported when the hook reads it.
    logLevel: 'silent',
  });
  const bundle = join(folder, 'main.mjs');
  const inputs = [
    ...Object.keys(metafile.inputs),
    ...ownInputs.filter((path) => existsSync(join(root, path))),
  ];
  const sources = inputs.map((path) => [path, stateOf(path)]);
  const aside = join(cache, `${folder}.json`);
  writeFileSync(aside, JSON.stringify({ bundle, sources }));
  renameSync(aside, join(cache, `${name}.json`));
  removeOldBundles(cache, name);
  removeUnusedCaches(cache);
  return bundle;
}

function removeOldBundles(cache, name) {
  for (const entry of readdirSync(cache, { withFileTypes: true })) {
    const path = join(cache, entry.name);
    const isOld = () => Date.now() - statSync(path).mtimeMs > keptAfterUseMs;
    if (entry.isDirectory() && entry.name.startsWith(`${name}-`) && isOld())
      rmSync(path, { recursive: true });
  }
}
