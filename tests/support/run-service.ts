/**
 * Starts the real service as a child process on free ports, in a temporary folder of its own, and waits until
 * both listeners are ready. Ports and folders stay the same over `restart()`, so sessions and files can be
 * looked at again. Whatever is left is ended and removed when the test process exits.
 *
 * Environment: `TEST_DATABASE=embedded|postgres` chooses the database where a test does not (postgres takes a
 * fresh database of `TEST_POSTGRES_URL`), `TEST_NODE` the Node binary.
 */
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { type CommandResult, runCommand } from './run-command.ts';
import { createServiceChild, type ServiceChild } from './service-child.ts';
import { plainEnvironment, projectDir, testNode } from './service-command.ts';
import { serviceDatabase } from './service-database.ts';
import { waitUntil } from './wait-until.ts';

export interface RunServiceOptions {
  /** `embedded`, or the URL of a Postgres database. Default: see `TEST_DATABASE`. */
  readonly database?: string;
  /** Settings beside those this function makes; `undefined` takes one of those away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Files to write before the start: name without `.json` → content. */
  readonly groups?: Readonly<Record<string, unknown>>;
  readonly configs?: Readonly<Record<string, unknown>>;
  readonly node?: string;
  /** User and group to run as; needs root. */
  readonly uid?: number;
  /** Shares folders with another service (two processes on one set of files); `data` stays its own. */
  readonly shareFoldersWith?: { readonly groupsDir: string; readonly configsDir: string };
  /** Has a home that does not exist, and no setting that names a folder. */
  readonly isFolderless?: boolean;
  /** How long it may take to become ready; 0 does not wait. */
  readonly readyMs?: number;
  /** The folder of another version's sources to run. */
  readonly checkout?: string;
  /** Fills folders and database before the first start. */
  readonly fill?: (places: ServicePlaces) => Promise<void>;
}

export type ServicePlaces = Pick<RunningService, 'dataDir' | 'groupsDir' | 'configsDir' | 'databaseUrl'>;

export interface RunningService {
  readonly gatewayUrl: string;
  readonly managerUrl: string;
  readonly dir: string;
  readonly dataDir: string;
  readonly groupsDir: string;
  readonly configsDir: string;
  readonly databaseUrl: string | undefined;
  pid(): number;
  /** Everything it wrote since the first start, stdout and stderr mixed. */
  output(): string;
  /** Address of a group's MCP endpoint. */
  groupUrl(group?: string): string;
  isRunning(): boolean;
  ready(limitMs?: number): Promise<void>;
  /** SIGTERM. @returns its exit code; `null` when it had to be killed after 15 s. */
  stop(): Promise<number | null>;
  kill9(): Promise<void>;
  /** Starts it again on the same ports and folders, after `stop()` where it still runs. */
  restart(): Promise<void>;
  /** Runs `svc-mcp <args>` against it. */
  cli(args: readonly string[]): Promise<CommandResult>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
}

export async function runService(options: RunServiceOptions = {}): Promise<RunningService> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-'));
  const dataDir = join(dir, 'data');
  const { groupsDir, configsDir } = options.shareFoldersWith ?? makeFolders(dir, options);
  if (options.uid !== undefined) giveTo(options.uid, dir);
  const databaseUrl = await serviceDatabase(options.database);
  const [managerPort, gatewayPort] = [await freePort(), await freePort()];
  const env = definedOnly({
    ...plainEnvironment(),
    HOST: '127.0.0.1',
    MANAGER_PORT: String(managerPort),
    GATEWAY_PORT: String(gatewayPort),
    DATA_DIR: dataDir,
    GROUPS_DIR: groupsDir,
    CONFIGS_DIR: configsDir,
    DATABASE_URL: databaseUrl,
    ...(options.isFolderless ? withoutFolders(dir) : {}),
    ...options.env,
  });
  const gatewayUrl = `http://127.0.0.1:${gatewayPort}`;
  const managerUrl = `http://127.0.0.1:${managerPort}`;
  const readyMs = options.readyMs ?? 30_000;
  const child = createServiceChild(env, options);
  process.once('exit', forceAway);

  const service: RunningService = {
    gatewayUrl,
    managerUrl,
    dir,
    dataDir,
    groupsDir,
    configsDir,
    databaseUrl,
    pid: child.pid,
    output: child.output,
    groupUrl: (group = 'svc-global') => `${gatewayUrl}/v0/groups/${group}/mcp`,
    isRunning: child.isRunning,
    ready: (limitMs = readyMs) => untilReady([gatewayUrl, managerUrl], child, limitMs),
    stop: () => child.end('SIGTERM'),
    kill9: async () => void (await child.end('SIGKILL')),
    async restart() {
      await child.end('SIGTERM');
      child.start();
      if (readyMs > 0) await service.ready();
    },
    cli: (args) =>
      runCommand(testNode, ['bin/svc-mcp.js', ...args], { cwd: options.checkout ?? projectDir, env }),
    async remove() {
      await child.end('SIGTERM');
      forceAway();
      process.removeListener('exit', forceAway);
    },
  };
  await options.fill?.(service);
  child.start();
  if (readyMs > 0) await service.ready();
  return service;

  function forceAway() {
    child.killNow();
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function untilReady(urls: readonly string[], child: ServiceChild, limitMs: number): Promise<void> {
  const isReady = async () => {
    if (!child.isRunning()) return true;
    const answers = await Promise.all(urls.map((url) => fetch(`${url}/readyz`)));
    return answers.every(({ ok }) => ok);
  };
  await waitUntil('the service is ready', isReady, { limitMs }).catch((error) => {
    throw new Error(`The service did not become ready. It wrote:\n${child.output()}`, { cause: error });
  });
  if (!child.isRunning()) throw new Error(`The service ended at its start. It wrote:\n${child.output()}`);
}

function makeFolders(dir: string, { groups = {}, configs = {} }: RunServiceOptions) {
  const folders = { groupsDir: join(dir, 'groups'), configsDir: join(dir, 'configs') };
  writeFiles(folders.groupsDir, groups);
  writeFiles(folders.configsDir, configs);
  return folders;
}

function withoutFolders(dir: string) {
  const none = { DATA_DIR: undefined, GROUPS_DIR: undefined, CONFIGS_DIR: undefined };
  return { ...none, GATEWAY_HOME: join(dir, 'no-home') };
}

function writeFiles(folder: string, files: Readonly<Record<string, unknown>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(content, null, 2));
  }
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
}

function giveTo(uid: number, dir: string): void {
  for (const entry of ['.', ...readdirSync(dir, { recursive: true, encoding: 'utf8' })]) {
    chownSync(join(dir, entry), uid, uid);
  }
}
