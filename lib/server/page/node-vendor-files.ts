import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The three third-party modules of the dashboard, served under `/static/vendor/`. They are read from their packages at
 * start, so that the lock file alone decides their version; nothing else of `node_modules` can be reached this way.
 * Browsers do not resolve bare specifiers, and our policy forbids an inline import map, so the only bare specifier is
 * replaced by a relative address.
 */
const modules = [
  { path: 'vendor/preact.mjs', specifier: 'preact', file: 'preact.mjs' },
  { path: 'vendor/hooks.mjs', specifier: 'preact/hooks', file: 'hooks.mjs' },
  // The package has another file for `require`.
  { path: 'vendor/htm.mjs', specifier: 'htm', file: 'htm.mjs' },
] as const;

/** Resolves packages from the source file; `import.meta.resolve` would resolve from the bundle. */
const { resolve } = createRequire(import.meta.url);

/** By path below `static/`. */
export async function readVendorFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  const read = modules.map(async ({ path, specifier, file }): Promise<[string, Uint8Array]> => {
    const text = await readFile(join(dirname(resolve(specifier)), file), 'utf8');
    return [path, new TextEncoder().encode(forBrowsers(text))];
  });
  return new Map(await Promise.all(read));
}

/** References to source maps are removed, since source maps are not served. */
function forBrowsers(text: string): string {
  return text
    .replace(/(from\s*)(["'])preact\2/g, '$1$2./preact.mjs$2')
    .replace(/\n?\/\/# sourceMappingURL=\S*\s*$/, '\n');
}
