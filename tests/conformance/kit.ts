/**
 * The conformance kit (`../shared/conformance` beside the project): the official suite, the server it expects and the
 * proxy that adds the server's prefix. That folder may be read-only, so the kit is copied, with its packages, into the
 * cache of `node_modules`, where the suite itself lands as well.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runCommand } from '../support/run-command.ts';
import { projectDir } from '../support/service-command.ts';

const kitDir = join(projectDir, '../shared/conformance');
const cacheDir = join(projectDir, 'node_modules/.cache/conformance');

/** `a`: suite 0.1.16, all scenarios. `b`: suite 0.2.0-alpha.12, requirement set 2025-11-25. */
export type Leg = 'a' | 'b';

export interface LegResult {
  readonly passed: number;
  readonly failed: number;
  readonly scored: number;
  readonly scoredPassing: number;
  readonly scoredFailing: readonly string[];
  readonly unscoredFailing: readonly string[];
  readonly warnings: number;
  readonly seconds: number;
  /** Every scored scenario ran, and passed. */
  readonly isPass: boolean;
}

export interface Kit {
  readonly fixturePath: string;
  /** @param target an endpoint; with `server` the suite reaches it through the adapter, which adds that prefix. */
  run(leg: Leg, target: string, server?: string): Promise<LegResult | undefined>;
}

/** Undefined, after one line that says why, where there is no kit or no registry to complete it from. */
export async function openKit(): Promise<Kit | undefined> {
  if (!existsSync(kitDir)) return skipped('there is no ../shared/conformance beside the project');
  const folder = await install();
  if (folder === undefined) return skipped('npm cannot fetch the packages of the kit');
  return {
    fixturePath: join(folder, 'fixture-server.mjs'),
    run: (leg, target, server) => runLeg(folder, leg, target, server),
  };
}

function skipped(why: string): undefined {
  console.error(`conformance: skipped, ${why}`);
  return undefined;
}

/** What it leaves in files is kept for those who have to see why it failed. */
async function runLeg(
  folder: string,
  leg: Leg,
  target: string,
  server?: string,
): Promise<LegResult | undefined> {
  const endpoint = server === undefined ? ['--direct', target] : ['--gateway', target, '--server', server];
  const out = join(cacheDir, 'results', `${new URL(target).port}-${server ?? 'direct'}`);
  const args = ['run.mjs', ...endpoint, '--legs', leg, '--json', '--limit-s', '150', '--out', out];
  const { stdout, stderr } = await runCommand(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, CONFORMANCE_CACHE: join(cacheDir, 'suite') },
    limitMs: 200_000,
  });
  if (stdout === '') throw new Error(`The suite did not run: ${stderr}`);
  const { results } = JSON.parse(stdout) as { results: Partial<Record<Leg, LegResult>> };
  const result = results[leg];
  if (result?.isPass) rmSync(out, { recursive: true, force: true });
  return result;
}

/** The folder carries the kit's content in its name: another kit is another folder. */
async function install(): Promise<string | undefined> {
  const files = readKit();
  const hash = createHash('sha256');
  for (const [path, content] of files) hash.update(path).update(content);
  const folder = join(cacheDir, `kit-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(folder)) return folder;

  const staging = `${folder}.${process.pid}`;
  for (const [path, content] of files) {
    mkdirSync(dirname(join(staging, path)), { recursive: true });
    writeFileSync(join(staging, path), content);
  }
  const { code } = await runCommand('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: staging,
    env: process.env,
    limitMs: 120_000,
  });
  if (code !== 0) {
    rmSync(staging, { recursive: true, force: true });
    return undefined;
  }
  renameSync(staging, folder);
  return folder;
}

function readKit(): (readonly [path: string, content: Buffer])[] {
  return readdirSync(kitDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [relative(kitDir, path), readFileSync(path)]);
}
