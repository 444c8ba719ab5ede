/**
 * A real registry (Debian's docker-registry, which the test bed installs) that asks for a name and password, with an image of
 * the test bed in it. Engines take registries on loopback addresses without TLS.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { testImage } from './testbed.ts';
import { waitUntil } from './wait-until.ts';

export interface PrivateRegistry {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** Of this registry. */
  readonly image: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export const registryUser = 'tester';
export const registryPassword = 'hunter-of-the-private-registry-7c1e9a';
/** The password as bcrypt writes it, the one form that the registry reads. */
const htpasswd = `${registryUser}:$2y$05$abcdefghijklmnopqrstuuPJPW8xgh48NBcFze9KlyOFTb41MRlKu\n`;
const authorization = `Basic ${Buffer.from(`${registryUser}:${registryPassword}`).toString('base64')}`;

/** Undefined, after one line that says why, where there is no such program. */
export async function startPrivateRegistry(image: string): Promise<PrivateRegistry | undefined> {
  if (spawnSync('docker-registry', ['--version']).error) {
    console.error('private registry: skipped, there is no `docker-registry`');
    return undefined;
  }
  const directory = mkdtempSync(join(tmpdir(), 'svc-registry-'));
  const host = `127.0.0.1:${await freePort()}`;
  writeFileSync(join(directory, 'htpasswd'), htpasswd);
  writeFileSync(join(directory, 'config.yml'), configText(directory, host));
  let child: ChildProcess | undefined;
  const killNow = () => child?.kill('SIGKILL');
  process.once('exit', killNow);

  async function start(): Promise<void> {
    child = spawn('docker-registry', ['serve', join(directory, 'config.yml')], { stdio: 'ignore' });
    await waitUntil('the private registry answers', () => isUp(host), { limitMs: 20_000 });
  }

  async function stop(): Promise<void> {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null) return;
    const ended = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill('SIGKILL');
    await ended;
  }

  await start();
  const target = { base: `http://${host}/v2/private/${image}`, headers: { authorization } };
  await copyImage(testImage(image), target);
  return {
    host,
    image: `${host}/private/${image}:1`,
    start,
    stop,
    async close() {
      await stop();
      process.removeListener('exit', killNow);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function configText(directory: string, host: string): string {
  return JSON.stringify({
    version: 0.1,
    log: { level: 'error' },
    storage: { filesystem: { rootdirectory: join(directory, 'data') } },
    http: { addr: host },
    auth: { htpasswd: { realm: 'tests', path: join(directory, 'htpasswd') } },
  });
}

function isUp(host: string): Promise<boolean> {
  return fetch(`http://${host}/v2/`).then(
    ({ status }) => status === 401,
    () => false,
  );
}

interface Target {
  readonly base: string;
  readonly headers: Record<string, string>;
}

/** Blob by blob, as the distribution API says, without any engine. */
async function copyImage(image: string, target: Target): Promise<void> {
  const [host = '', ...rest] = image.replace(/:1$/, '').split('/');
  const from = `http://${host}/v2/${rest.join('/')}`;
  const accept = 'application/vnd.docker.distribution.manifest.v2+json';
  const manifest = await (await fetch(`${from}/manifests/1`, { headers: { accept } })).text();
  const { config, layers } = JSON.parse(manifest);
  for (const { digest } of [config, ...layers]) {
    const blob = await (await fetch(`${from}/blobs/${digest}`)).arrayBuffer();
    const begun = await fetch(`${target.base}/blobs/uploads/`, { method: 'POST', headers: target.headers });
    const location = new URL(begun.headers.get('location') ?? '', target.base);
    location.searchParams.set('digest', digest);
    const type = { 'content-type': 'application/octet-stream' };
    await put(location.href, blob, { ...target.headers, ...type });
  }
  await put(`${target.base}/manifests/1`, manifest, { ...target.headers, 'content-type': accept });
}

async function put(url: string, body: ArrayBuffer | string, headers: Record<string, string>): Promise<void> {
  const { status } = await fetch(url, { method: 'PUT', body, headers });
  if (status !== 201) throw new Error(`the private registry answered ${status}`);
}
