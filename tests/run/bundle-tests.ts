/**
 * Bundles test files before they run: a hundred children that each load their sources through a hook spend half of
 * their time on that. Packages stay outside. When one file cannot be bundled, all are loaded from
 * their sources, so that only that file fails.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { nodeBundle } from '../../bin/node-bundle.js';

export interface BundledTest {
  /** `in-child.ts`, which runs the file. */
  readonly driver: string;
  readonly file: string;
}

export interface Bundles {
  of(file: string): BundledTest | undefined;
  remove(): void;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const driverSource = 'tests/run/in-child.ts';

/** @param files absolute paths. The bundles lie in the project, where packages are found. */
export async function bundleTests(files: readonly string[]): Promise<Bundles> {
  const folder = mkdtempSync(join(root, 'node_modules', '.tests-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const bundled = (source: string) => join(folder, source.replace(/\.ts$/, '.mjs'));
  process.once('exit', remove);
  const isBundled = await build({
    ...(nodeBundle as BuildOptions),
    absWorkingDir: root,
    entryPoints: [driverSource, ...files.map((file) => relative(root, file))].map((path) => `./${path}`),
    outbase: '.',
    outdir: folder,
    sourcemap: 'linked',
  }).then(
    () => true,
    () => false,
  );
  return {
    of: (file) =>
      isBundled ? { driver: bundled(driverSource), file: bundled(relative(root, file)) } : undefined,
    remove,
  };
}
