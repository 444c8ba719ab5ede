/**
 * Clients of others for tests, in the versions of `versions.json`. Nothing of them lies in the tree: they are installed once for
 * each set of versions, in `SDK_CLIENTS_CACHE` (without it, in the user's cache folder). What this machine cannot have is
 * skipped, with one line that says why.
 */
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOnce } from './install-once.ts';
import { installGo, installNpm, installPython, type Pins } from './installers.ts';

export const clientNames = [
  'typescript-v1',
  'typescript-v2',
  'python-1',
  'python-2',
  'go-sdk',
  'mcp-go',
  'fastmcp',
  'ai-sdk',
  'mcp-remote',
] as const;
export type ClientName = (typeof clientNames)[number];

export interface SdkClient {
  /** Program and arguments; it takes a plan as its last one (`tests/clients/drivers/run-plan.mjs`). */
  readonly command: readonly string[];
  /** The program that a client speaks stdio with, and that speaks to the address. */
  readonly bridge?: readonly string[];
}

const drivers = fileURLToPath(new URL('../../tests/clients/drivers', import.meta.url));
const goSources = join(drivers, 'go');
const { npm, python, go }: Record<'npm' | 'python' | 'go', Pins> = JSON.parse(
  readFileSync(new URL('versions.json', import.meta.url), 'utf8'),
);
export const cacheFolder =
  process.env.SDK_CLIENTS_CACHE ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'svc-mcp-gateway', 'sdk-clients');

/** Installs what is missing. @returns those that this machine can have. */
export async function openSdkClients(): Promise<ReadonlyMap<ClientName, SdkClient>> {
  const groups = [openNpm(), openGo(), ...pythonDrivers.map(openPython)];
  const opened = new Map((await Promise.all(groups)).flat());
  return new Map(clientNames.flatMap((name) => pairOf(name, opened.get(name))));
}

function pairOf(name: ClientName, client: SdkClient | undefined): [ClientName, SdkClient][] {
  return client === undefined ? [] : [[name, client]];
}

type Opened = readonly (readonly [ClientName, SdkClient])[];

/** @param content What the folder's content depends on. */
async function open(
  part: string,
  names: readonly ClientName[],
  content: readonly unknown[],
  fill: (folder: string) => Promise<void>,
): Promise<string | undefined> {
  const hash = createHash('sha256').update(JSON.stringify([process.arch, ...content]));
  const folder = join(cacheFolder, `${part}-${hash.digest('hex').slice(0, 12)}`);
  try {
    await installOnce(folder, fill);
    return folder;
  } catch (error) {
    for (const name of names) console.error(`sdk client ${name}: skipped, ${(error as Error).message}`);
    return undefined;
  }
}

const npmClients = ['typescript-v1', 'typescript-v2', 'ai-sdk'] as const;

/** Modules find packages from where they lie, so the drivers are copied there. */
async function openNpm(): Promise<Opened> {
  const sources = readSources(drivers, '.mjs');
  const folder = await open('npm', [...npmClients, 'mcp-remote'], [npm, sources], async (staging) => {
    await installNpm(staging, npm);
    for (const [name] of sources) cpSync(join(drivers, name), join(staging, name));
  });
  if (folder === undefined) return [];
  const run = (driver: string) => [process.execPath, join(folder, `${driver}.mjs`)];
  const bridge = [process.execPath, join(folder, 'node_modules/mcp-remote/dist/proxy.js')];
  return [
    ...npmClients.map((name) => [name, { command: run(name) }] as const),
    ['mcp-remote', { command: run('typescript-v1'), bridge }],
  ];
}

const pythonDrivers = [
  ['python-1', 'python_v1.py'],
  ['python-2', 'python_v2.py'],
  ['fastmcp', 'fastmcp_client.py'],
] as const;

async function openPython([name, driver]: (typeof pythonDrivers)[number]): Promise<Opened> {
  const requirement = python[name] ?? '';
  const folder = await open(name, [name], [requirement], (staging) => installPython(staging, requirement));
  if (folder === undefined) return [];
  // -B: no compiled files beside the sources.
  return [[name, { command: [join(folder, 'bin', 'python'), '-B', join(drivers, driver)] }]];
}

async function openGo(): Promise<Opened> {
  const names = ['go-sdk', 'mcp-go'] as const;
  const fill = (staging: string) => installGo(staging, go, goSources);
  const folder = await open('go', names, [go, readSources(goSources, '.go')], fill);
  return folder === undefined
    ? []
    : names.map((name) => [name, { command: [join(folder, 'bin', name)] }] as const);
}

function readSources(folder: string, extension: string): (readonly [path: string, content: string])[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(extension))
    .sort()
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')]);
}
