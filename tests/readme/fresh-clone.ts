/**
 * The project as a stranger has it: a clone of its own, a home of its own, ports of its own; and the terminal in it.
 * Changes that are not committed yet are laid over the clone, so that a document can be tested while it is written.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { projectDir } from '../support/service-command.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type CommandOutcome, openShell, type RunningCommand } from './shell-session.ts';

interface RunOptions {
  /** What is typed into it. */
  readonly input?: string | undefined;
  readonly limitMs?: number | undefined;
}

export interface FreshClone {
  readonly dir: string;
  readonly home: string;
  readonly managerUrl: string;
  readonly gatewayUrl: string;
  /** The text with this clone's ports in the place of those that documents name. */
  withPorts(text: string): string;
  run(command: string, options?: RunOptions): Promise<CommandOutcome>;
  /** For commands that do not end by themselves. */
  start(command: string): Promise<RunningCommand>;
  /** Starts the service with the command of the documents, or says that it runs already. */
  startService(command?: string): Promise<void>;
  stopService(): Promise<void>;
  remove(): Promise<void>;
}

export async function makeFreshClone(): Promise<FreshClone> {
  const parent = mkdtempSync(join(tmpdir(), 'readme-'));
  const [dir, home] = [join(parent, 'svc-mcp-gateway'), join(parent, 'home')];
  const ports = new Map<string, number>();
  for (const named of ['3701', '3700', '5010', '8090', '9000']) ports.set(named, await freePort());
  const [manager = 0, gateway = 0] = ports.values();
  const managerUrl = `http://127.0.0.1:${manager}`;
  cloneProject(join(parent, 'origin.git'), dir);
  layOverUncommitted(dir);
  makeHome(home);
  const shell = openShell(dir, environment(home, { manager, gateway }));
  let service: RunningCommand | undefined;

  async function stopService(): Promise<void> {
    await service?.interrupt();
    service = undefined;
  }
  return {
    ...{ dir, home, managerUrl, gatewayUrl: `http://127.0.0.1:${gateway}`, stopService },
    withPorts: (text) => text.replace(/\b\d{4}\b/g, (number) => String(ports.get(number) ?? number)),
    run: (command, { input = '', limitMs = 120_000 } = {}) => shell.run(command, { input, limitMs }),
    start: (command) => shell.start(command),
    async startService(command = 'npm start') {
      if (service) return;
      const started = await shell.start(command);
      service = started;
      await untilReady(managerUrl, started);
    },
    async remove() {
      await stopService();
      await shell.close();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

/** By way of an origin that has a branch, whatever is checked out here, so that it can be pulled from. */
function cloneProject(origin: string, dir: string): void {
  const git = (...args: readonly string[]) => execFileSync('git', args, { stdio: 'pipe' });
  git('clone', '--quiet', '--bare', projectDir, origin);
  git('-C', origin, 'update-ref', 'refs/heads/main', 'HEAD');
  git('-C', origin, 'symbolic-ref', 'HEAD', 'refs/heads/main');
  git('clone', '--quiet', origin, dir);
}

/** What `npm ci` made here, for documents that begin after it; a copy where links cannot be made. */
export function installPackages({ dir }: Pick<FreshClone, 'dir'>): void {
  const [from, to] = [join(projectDir, 'node_modules'), join(dir, 'node_modules')];
  try {
    execFileSync('cp', ['-al', from, to], { stdio: 'pipe' });
  } catch {
    execFileSync('cp', ['-a', from, to]);
  }
}

async function untilReady(managerUrl: string, service: RunningCommand): Promise<void> {
  const isReady = async () => (await fetch(`${managerUrl}/readyz`)).ok;
  await waitUntil('the service is ready', isReady, { limitMs: 120_000 }).catch((error) => {
    throw new Error(`${error.message}\n${service.output()}`);
  });
}

/** Only what a terminal of this person has; npm is to use the packages that this machine has fetched before. */
function environment(home: string, ports: { manager: number; gateway: number }): NodeJS.ProcessEnv {
  const { PATH = '', LANG, TMPDIR, npm_config_cache, DOCKER_HOST } = process.env;
  return {
    ...{ HOME: home, LANG, TMPDIR, DOCKER_HOST, PATH: `${dirname(process.execPath)}:${PATH}` },
    npm_config_cache: npm_config_cache ?? join(homedir(), '.npm'),
    npm_config_userconfig: join(homedir(), '.npmrc'),
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    MANAGER_PORT: String(ports.manager),
    GATEWAY_PORT: String(ports.gateway),
  };
}

/** What people who read about `svc-mcp import` have. */
function makeHome(home: string): void {
  mkdirSync(join(home, '.cursor'), { recursive: true });
  const memory = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] };
  writeFileSync(join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { 'my memory': memory } }));
}

function layOverUncommitted(dir: string): void {
  const listed = execFileSync('git', ['status', '--porcelain', '-z', '--untracked-files=all'], {
    cwd: projectDir,
    encoding: 'utf8',
  });
  for (const path of listed.split('\0').map((entry) => entry.slice(3))) {
    const [from, to] = [join(projectDir, path), join(dir, path)];
    if (path === '') continue;
    if (existsSync(from)) cpSync(from, to, { recursive: true });
    else rmSync(to, { force: true });
  }
}
