/**
 * A Postgres of its own in a directory: made with initdb, listening on 127.0.0.1 only, without passwords, with
 * fsync on. Run as root it drops to the user `postgres`, since the server refuses to run as root. Tests and
 * `scripts/postgres.ts` use it; nothing of the service does.
 */
import { execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=on',
  'shared_buffers=32MB',
];

export type StopMode = 'fast' | 'immediate';

export interface Server {
  readonly url: string;
  readonly pid: number;
}

export interface StartOptions {
  readonly directory: string;
  readonly port: number;
  /** The server ends with the process that started it, also when that is killed. Linux only. */
  readonly endsWithParent?: boolean;
}

/** The folder of the server's programs, newest version first, or undefined when none is installed. */
export function findBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...searchPath()];
  return folders.find((folder) => existsSync(join(folder, 'initdb')));
}

/** Debian's postgresql-15. Rejects with one sentence when it cannot be installed. */
export async function installPostgres(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('it is not installed, and installing it needs root');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update', '-q'], { env });
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'postgresql-15'], { env });
  } catch (error) {
    const reason = String((error as { stderr?: string }).stderr || (error as Error).message).trim();
    throw new Error(`apt-get could not install postgresql-15: ${reason.split('\n').at(-1)}`);
  }
}

export async function initCluster(directory: string): Promise<void> {
  const owner = await serverUser();
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o755);
  if (owner) await chown(directory, owner.uid, owner.gid);
  const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'];
  await run(program('initdb'), [...options, '-D', dataOf(directory)], { cwd: directory, ...owner });
}

/** Resolves when the server takes connections. */
export async function startServer({
  directory,
  port,
  endsWithParent = false,
}: StartOptions): Promise<Server> {
  const owner = await serverUser();
  const log = openSync(join(directory, 'log'), 'a');
  const server = [program('postgres'), '-D', dataOf(directory), '-p', String(port)];
  const configured = [...server, ...settings.flatMap((setting) => ['-c', setting])];
  const [command = '', ...args] = endsWithParent ? [...tieToParent(owner), ...configured] : configured;
  const child = spawn(command, args, {
    cwd: directory,
    detached: true,
    stdio: ['ignore', log, log],
    ...(endsWithParent ? {} : owner),
  });
  child.unref();
  closeSync(log);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const isReady = () =>
    run(program('pg_isready'), ['-q', '-d', url]).then(
      () => true,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(await readFile(join(directory, 'log'), 'utf8'));
    await sleep(50);
  }
  return { url, pid: child.pid ?? 0 };
}

/** `immediate` is a crash: connections break at once and the next start recovers from the log. */
export async function stopServer(pid: number, mode: StopMode): Promise<void> {
  if (!isRunning(pid)) return;
  process.kill(pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
  while (isRunning(pid)) await sleep(20);
}

/** Undefined when none runs; a number left by a killed one may belong to another program by now. */
export async function readServerPid(directory: string): Promise<number | undefined> {
  const text = await readFile(join(dataOf(directory), 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10) || 0;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return commandLine.includes(dataOf(directory)) ? pid : undefined;
}

/** Only what `initCluster` and `startServer` made: the directory was named by a person. */
export async function removeCluster(directory: string): Promise<void> {
  await rm(dataOf(directory), { recursive: true, force: true });
  await rm(join(directory, 'log'), { force: true });
  await rmdir(directory).catch(() => {});
}

/** The server and the processes it made, one for each connection among them. */
export function processesOf(pid: number): number[] {
  const children = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && parentOf(entry) === pid);
  return [pid, ...children.map(Number)];
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Whom the server runs as, when it cannot be us. */
async function serverUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const ids = await Promise.all(['-u', '-g'].map((which) => run('id', [which, 'postgres'])));
  const [uid = 0, gid = 0] = ids.map(({ stdout }) => Number(stdout));
  return { uid, gid };
}

function tieToParent(owner: User | undefined): string[] {
  const drop = owner ? [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'] : [];
  return ['setpriv', ...drop, '--pdeathsig=INT', '--'];
}

function program(name: string): string {
  const folder = findBinaries();
  if (!folder) throw new Error('Postgres is not installed');
  return join(folder, name);
}

function searchPath(): string[] {
  return (process.env.PATH ?? '').split(':').filter((folder) => folder !== '');
}

function dataOf(directory: string): string {
  return join(directory, 'data');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}
