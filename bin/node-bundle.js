import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * `import.meta.url` stays that of the source file, so that files beside it are found.
 * @param {(path: string) => string} urlOf The expression for the URL of a source.
 */
export const keepOwnUrls = (urlOf) => ({
  name: 'keep-own-urls',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: source.replaceAll('import.meta.url', urlOf(resolve(path))), loader: 'ts' };
    });
  },
});

const absoluteUrl = (path) => JSON.stringify(pathToFileURL(path).href);

/**
 * Packages are imported by their path in the source tree, wherever the bundle is. A link to them beside the bundle does not
 * work: Node 20 stops resolving links in an imported path after a `stat` of a socket (`realpathSync` in its `lib/fs.js` breaks
 * off when the last `stat` was of one), and then loads a second, empty copy of the package.
 */
const findPackages = {
  name: 'find-packages',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      isBuiltin(path) ? undefined : { path: import.meta.resolve(path), external: true },
    );
  },
};

/** Options of esbuild: our sources for Node 20, without the packages. */
export const nodeBundle = {
  absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  plugins: [findPackages, keepOwnUrls(absoluteUrl)],
  logLevel: 'error',
};
