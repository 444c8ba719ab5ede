/**
 * `npm pack` runs this, before and after: the bundles that the package ships in `dist/` in the place of the TypeScript sources, for Node strips
 * no types below `node_modules`. Packages stay imports. Files that the sources find beside themselves are found in the
 * package at the same places as in a checkout.
 */
import { rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { keepOwnUrls, nodeBundle } from '../bin/node-bundle.js';

const root = nodeBundle.absWorkingDir;
const folder = join(root, 'dist');

/** All bundles lie in `folder` itself. */
function urlFromBundle(path: string): string {
  const place = relative(folder, path).split(sep).join('/');
  return `new URL(${JSON.stringify(place)}, import.meta.url).href`;
}

async function buildBundles(): Promise<void> {
  await build({
    ...nodeBundle,
    entryPoints: [
      { in: 'server.ts', out: 'server' },
      { in: 'lib/cli/run.ts', out: 'cli' },
    ],
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    outdir: folder,
    packages: 'external',
    plugins: [keepOwnUrls(urlFromBundle)],
  });
}

rmSync(folder, { recursive: true, force: true });
if (process.argv[2] !== 'remove') await buildBundles();
