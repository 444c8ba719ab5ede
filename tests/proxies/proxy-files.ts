/** The files of `deploy/proxies/` as they are, but for the addresses, and how each program checks and runs its own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../support/service-command.ts';
import type { ProxyName } from './programs.ts';

export interface ProxyPlaces {
  /** A folder for what the program writes. */
  readonly dir: string;
  readonly port: number;
  /** Of `gateway-1` to `gateway-3`. */
  readonly gatewayPorts: readonly number[];
  /** Where Caddy takes its orders. */
  readonly adminPort: number;
}

interface ProxyFile {
  readonly file: string;
  check(path: string, dir: string): readonly string[];
  run(path: string, dir: string): readonly string[];
  /** How a changed file is taken up without a break; absent: by another process, or with some broken connections. */
  readonly reloadBy?: NodeJS.Signals;
}

export const proxyFiles: Readonly<Record<ProxyName, ProxyFile>> = {
  nginx: {
    file: 'nginx.conf',
    check: (path, dir) => ['-t', '-c', path, '-g', `pid ${dir}/pid; error_log stderr;`],
    run: (path, dir) => ['-c', path, '-g', `daemon off; pid ${dir}/pid; error_log stderr;`],
  },
  haproxy: {
    file: 'haproxy.cfg',
    check: (path) => ['-c', '-f', path],
    run: (path) => ['-W', '-f', path],
    reloadBy: 'SIGUSR2',
  },
  envoy: {
    file: 'envoy.yaml',
    check: (path) => ['--mode', 'validate', '-c', path],
    run: (path) => ['--disable-hot-restart', '--log-level', 'warn', '-c', path],
  },
  caddy: {
    file: 'Caddyfile',
    check: (path) => ['validate', '--adapter', 'caddyfile', '--config', path],
    run: (path) => ['run', '--adapter', 'caddyfile', '--config', path],
  },
};

/** Writes the file with the addresses of this test. @returns its path. */
export function writeProxyFile(name: ProxyName, { dir, port, gatewayPorts, adminPort }: ProxyPlaces): string {
  const { file } = proxyFiles[name];
  const portOf = (number: string) => String(gatewayPorts[Number(number) - 1]);
  const text = readFileSync(join(projectDir, 'deploy/proxies', file), 'utf8')
    .replace(/\bgateway-([123]), port_value: 3700/g, (_, n) => `127.0.0.1, port_value: ${portOf(n)}`)
    .replace(/\bgateway-([123]):3700/g, (_, n) => `127.0.0.1:${portOf(n)}`)
    .replace('0.0.0.0, port_value: 8080', `127.0.0.1, port_value: ${port}`)
    .replace(/^(\s*listen |\s*bind )(?::)?8080/m, `$1127.0.0.1:${port}`)
    .replace(/^:8080/m, `:${port}`)
    .replace('localhost:2019', `localhost:${adminPort}`);
  const path = join(dir, file);
  writeFileSync(path, text);
  return path;
}
