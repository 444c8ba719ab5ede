/** How packages of each language come into a folder: through the ordinary client of each. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInstaller } from './install-once.ts';

/** Versions by the packages' names. */
export type Pins = Readonly<Record<string, string>>;

export async function installNpm(folder: string, pins: Pins): Promise<void> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: pins }));
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--silent'];
  await runInstaller('npm', args, folder);
}

/** A virtual environment of its own, as two versions of one package cannot share any. */
export async function installPython(folder: string, requirement: string): Promise<void> {
  await runInstaller('python3', ['-m', 'venv', '.'], folder);
  const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1'];
  await runInstaller(join(folder, 'bin', 'python'), [...args, requirement], folder);
}

/** Builds the programs whose sources are in `sources` into `bin`. */
export async function installGo(folder: string, pins: Pins, sources: string): Promise<void> {
  cpSync(sources, folder, { recursive: true });
  const required = Object.entries(pins).map(([name, version]) => `\t${name} ${version}\n`);
  writeFileSync(join(folder, 'go.mod'), `module clients\n\ngo 1.25.5\n\nrequire (\n${required.join('')})\n`);
  mkdirSync(join(folder, 'bin'));
  // `mod` lets it write down the sums of what the two packages need themselves.
  await runInstaller('go', ['build', '-mod=mod', '-o', 'bin/', './...'], folder);
}
