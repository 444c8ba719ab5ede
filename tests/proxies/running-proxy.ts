import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { runCommand } from '../support/run-command.ts';
import { plainEnvironment } from '../support/service-command.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { ProxyName } from './programs.ts';
import { proxyFiles, writeProxyFile } from './proxy-files.ts';

/** A real proxy with its file of `deploy/proxies/`. */
export interface RunningProxy {
  readonly url: string;
  /** Takes the file up anew, as after a change. False: this program cannot. */
  reload(): boolean;
  /** What it wrote. */
  output(): string;
  stop(): Promise<void>;
}

/** The answer of the program to its file: the exit code and what it wrote. */
export async function checkProxyFile(name: ProxyName, program: string) {
  const dir = mkdtempSync(join(tmpdir(), 'svc-mcp-proxy-'));
  try {
    const places = { dir, port: 8080, gatewayPorts: [3701, 3702, 3703], adminPort: 2019 };
    const args = proxyFiles[name].check(writeProxyFile(name, places), dir);
    return await runCommand(program, args, { cwd: dir, env: environmentIn(dir) });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** @param gatewayPorts Three. */
export async function startProxy(
  name: ProxyName,
  program: string,
  gatewayPorts: readonly number[],
): Promise<RunningProxy> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-mcp-proxy-'));
  const [port, adminPort] = [await freePort(), await freePort()];
  const { run, reloadBy } = proxyFiles[name];
  const path = writeProxyFile(name, { dir, port, gatewayPorts, adminPort });
  const env = environmentIn(dir);
  const child = spawn(program, run(path, dir), { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const end = () => void child.kill('SIGTERM');
  process.once('exit', end);
  const proxy: RunningProxy = {
    url: `http://localhost:${port}`,
    reload: () => reloadBy !== undefined && child.kill(reloadBy),
    output: () => output,
    async stop() {
      process.removeListener('exit', end);
      end();
      const hard = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await exited;
      clearTimeout(hard);
      rmSync(dir, { recursive: true, force: true });
    },
  };
  await untilAllAreTaken(proxy, gatewayPorts.length).catch(async (cause) => {
    await proxy.stop();
    throw new Error(`${name} does not serve. It wrote:\n${output}`, { cause });
  });
  return proxy;
}

/** Asked so often that each of them had its turn. */
async function untilAllAreTaken({ url }: RunningProxy, gateways: number): Promise<void> {
  await waitUntil('it serves', async () => {
    for (let turn = 0; turn < 2 * gateways; turn += 1) {
      if (!(await fetch(`${url}/readyz`)).ok) return false;
    }
    return true;
  });
}

/** Caddy keeps its state in the user's folders, which are these here. */
function environmentIn(dir: string): NodeJS.ProcessEnv {
  return { ...plainEnvironment(), HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir };
}
