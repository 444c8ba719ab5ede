import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The three modules of others that the dashboard runs on, as they are served under `/static/vendor/`. They come
 * from their packages at start, so that the lock file alone decides their version; nothing else of
 * `node_modules` can be reached this way. Browsers know no bare specifiers, and our policy forbids the inline
 * import map that would teach them: the only one there is becomes a relative address.
 */
const modules = [
  { path: 'vendor/preact.mjs', specifier: 'preact', file: 'preact.mjs' },
  { path: 'vendor/hooks.mjs', specifier: 'preact/hooks', file: 'hooks.mjs' },
  // Beside the one for `require`.
  { path: 'vendor/htm.mjs', specifier: 'htm', file: 'htm.mjs' },
] as const;

/** As the sources find packages; `import.meta.resolve` would look from the bundle of them. */
const { resolve } = createRequire(import.meta.url);

/** By path below `static/`. */
export async function readVendorFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  const read = modules.map(async ({ path, specifier, file }): Promise<[string, Uint8Array]> => {
    const text = await readFile(join(dirname(resolve(specifier)), file), 'utf8');
    return [path, new TextEncoder().encode(forBrowsers(text))];
  });
  return new Map(await Promise.all(read));
}

/** Source maps are not served, so they are not named either. */
function forBrowsers(text: string): string {
  return text
    .replace(/(from\s*)(["'])preact\2/g, '$1$2./preact.mjs$2')
    .replace(/\n?\/\/# sourceMappingURL=\S*\s*$/, '\n');
}
