import { readFile } from 'node:fs/promises';
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

/** For esbuild: our sources as they run on Node 20, with packages left outside. */
export const nodeBundle = {
  absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  plugins: [keepOwnUrls],
  logLevel: 'error',
};
