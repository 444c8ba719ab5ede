/**
 * An installation as docker-compose.yml splits it, without containers: one manager and two gateways on one Postgres, on the
 * same groups, configs and secrets, each with data of its own. Any of them may run another version's sources.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { createServiceChild, type ServiceChild } from './service-child.ts';
import { plainEnvironment, projectDir } from './service-command.ts';
import { waitUntil } from './wait-until.ts';

export interface SplitInstallation {
  readonly manager: SplitProcess;
  readonly gateways: readonly [SplitProcess, SplitProcess];
  readonly groupsDir: string;
  /** A folder that does not exist. */
  readonly noFolder: string;
  /** Path → text, of everything that people or an earlier version wrote. */
  files(): Record<string, string>;
  remove(): Promise<void>;
}

export interface SplitProcess {
  readonly name: string;
  /** Of its one port. */
  readonly url: string;
  /** The address of a group's endpoint; of a gateway only. */
  groupUrl(group: string): string;
  pid(): number;
  /** What it wrote since its latest start. */
  output(): string;
  /** Resolves when it is ready. */
  start(run: SplitRun): Promise<void>;
  /** Resolves when its calls are answered and it has ended. */
  stop(): Promise<void>;
  killNow(): void;
}

export interface SplitRun {
  /** The sources to run. */
  readonly checkout: string;
  /** Settings that are otherwise now; `undefined` takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Path relative to the folder with `groups/`, `configs/` and `secrets/` → text. */
export type SplitFiles = Readonly<Record<string, string>>;

/** Nothing of it runs yet. */
export async function layOutSplit(databaseUrl: string, files: SplitFiles): Promise<SplitInstallation> {
  const home = mkdtempSync(join(tmpdir(), 'split-'));
  const groupsDir = join(home, 'groups');
  for (const folder of ['groups', 'configs', 'secrets']) mkdirSync(join(home, folder));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(home, path), text, { mode: 0o600 });

  const ports = { manager: await freePort(), first: await freePort(), second: await freePort() };
  const settings = settingsOf(home, databaseUrl);
  const manager = createSplitProcess('manager', ports.manager, {
    ...settings,
    ...{ ROLES: 'manager', MANAGER_PORT: String(ports.manager), DATA_DIR: join(home, 'manager-data') },
    INTERNAL_MANAGER_URL: `http://127.0.0.1:${ports.manager}`,
    INTERNAL_GATEWAY_URL: `http://127.0.0.1:${ports.first}`,
    GATEWAY_COMMAND: 'docker compose exec -T manager node bin/gateway.js',
    REGISTRY_CONFIG: join(projectDir, 'scripts/stack/no-registries.json'),
  });
  const gateway = (name: string, port: number, more: Record<string, string | undefined>) =>
    createSplitProcess(name, port, {
      ...settings,
      ...{ ROLES: 'gateway', ADMIN_TOKEN: '', GATEWAY_PORT: String(port), ...more },
    });
  const gateways = [
    gateway('first gateway', ports.first, { DATA_DIR: join(home, 'first-data') }),
    // Finds the folders of groups and configs by their usual names.
    gateway('second gateway', ports.second, {
      ...{ DATA_DIR: join(home, 'second-data'), GATEWAY_HOME: home },
      ...{ GROUPS_DIR: undefined, CONFIGS_DIR: undefined },
    }),
  ] as const;
  const all = [manager, ...gateways];
  process.once('exit', forceAway);

  function forceAway(): void {
    for (const each of all) each.killNow();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }

  return {
    ...{ manager, gateways, groupsDir },
    noFolder: join(home, 'no-home'),
    files: () => readFiles(home),
    async remove() {
      const stopped = await Promise.allSettled(all.map((each) => each.stop()));
      forceAway();
      process.removeListener('exit', forceAway);
      for (const one of stopped) if (one.status === 'rejected') throw one.reason;
    },
  };
}

/** What all three have in common: the variables of docker-compose.yml. */
function settingsOf(home: string, databaseUrl: string): Record<string, string> {
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  return {
    ...{ HOST: '127.0.0.1', ALLOW_OPEN: '1', ALLOWED_HOSTS: 'manager,gateway,' },
    ...{ PUBLIC_MANAGER_URL: '', PUBLIC_GATEWAY_URL: '', DATABASE_URL: '' },
    ...{ POSTGRES_HOST: hostname, POSTGRES_PORT: port, POSTGRES_DB: pathname.slice(1) },
    ...{ POSTGRES_USER: decodeURIComponent(username), POSTGRES_PASSWORD: password || 'made-up' },
    ...{ GROUPS_DIR: join(home, 'groups'), CONFIGS_DIR: join(home, 'configs') },
    SECRETS_FILE: join(home, 'secrets', 'secrets.env'),
    DOCKER_HOST: 'unix:///nonexistent/docker.sock',
  };
}

function createSplitProcess(
  name: string,
  port: number,
  settings: Readonly<Record<string, string | undefined>>,
): SplitProcess {
  const url = `http://127.0.0.1:${port}`;
  let child: ServiceChild | undefined;

  return {
    ...{ name, url },
    groupUrl: (group) => `${url}/v0/groups/${group}/mcp`,
    pid: () => child?.pid() ?? 0,
    output: () => child?.output() ?? '',
    async start({ checkout, env }) {
      const given = Object.entries({ ...plainEnvironment(), ...settings, ...env });
      const started = createServiceChild(
        Object.fromEntries(given.filter(([, value]) => value !== undefined)),
        { checkout },
      );
      child = started;
      started.start();
      const isReady = async () => !started.isRunning() || (await fetch(`${url}/readyz`)).ok;
      await waitUntil(`the ${name} is ready`, isReady, { limitMs: 30_000 }).catch((error) => {
        throw new Error(`It wrote:\n${started.output()}`, { cause: error });
      });
      if (!started.isRunning()) throw new Error(`The ${name} ended at its start:\n${started.output()}`);
    },
    async stop() {
      const code = await child?.end('SIGTERM');
      if (child !== undefined && code !== 0) throw new Error(`The ${name} ended with ${code}.`);
    },
    killNow: () => child?.killNow(),
  };
}

/** What a process may write as it runs, such as its socket and its lock, is not among them. */
function readFiles(home: string): Record<string, string> {
  const isKept = (path: string) => /^(groups|configs|secrets|[a-z]+-data\/installation-)/.test(path);
  const found = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => isKept(path.slice(home.length + 1)));
  return Object.fromEntries(found.sort().map((path) => [path, readFileSync(path, 'latin1')]));
}
