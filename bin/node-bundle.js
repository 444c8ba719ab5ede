import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Files that find others beside them (`import.meta.url`) go on finding them in the source tree. */
const keepOwnUrls = {
  name: 'keep-own-urls',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const url = JSON.stringify(pathToFileURL(resolve(path)).href);
      return { contents: source.replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
};

/**
 * Packages are imported from where the sources find them, wherever the bundle lies. By a link to them beside the bundle it does
 * not do: Node 20 leaves links in an imported path as they are after a socket was looked at (`realpathSync` in its `lib/fs.js`
 * breaks off when the last `stat` was of one), and then loads a second copy of the package, empty.
 */
const findPackages = {
  name: 'find-packages',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      isBuiltin(path) ? undefined : { path: import.meta.resolve(path), external: true },
    );
  },
};

/** For esbuild: our sources as they run on Node 20, with packages left outside. */
export const nodeBundle = {
  absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  plugins: [findPackages, keepOwnUrls],
  logLevel: 'error',
};
