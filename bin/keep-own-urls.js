import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** For esbuild: files that find others beside them (`import.meta.url`) go on finding them in the source tree. */
export const keepOwnUrls = {
  name: 'keep-own-urls',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const url = JSON.stringify(pathToFileURL(resolve(path)).href);
      return { contents: source.replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
};
