/**
 * The official MCP servers from `node_modules`, as registration configs and as processes of their own for the
 * transports that need one, and the server that misbehaves on demand. Paths are relative to the project, which
 * is the working directory of the service under test.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { freePort } from './free-port.ts';
import { plainEnvironment, projectDir } from './service-command.ts';
import { waitUntil } from './wait-until.ts';

export type Config = { readonly name: string; readonly transport: string } & Readonly<
  Record<string, unknown>
>;

export const everythingPath = officialPath('everything');
export const filesystemPath = officialPath('filesystem');
export const memoryPath = officialPath('memory');
export const faultPath = 'tests/support/fault-server.mjs';
export const latePath = 'tests/support/late-server.mjs';
export const linkingPath = 'tests/support/linking-server.mjs';

function officialPath(server: string): string {
  return `node_modules/@modelcontextprotocol/server-${server}/dist/index.js`;
}

/** A server as a child process: `node <args>`. */
export function stdioConfig(name: string, args: readonly string[], more: object = {}): Config {
  return { name, transport: 'stdio', description: name, command: 'node', args, ...more };
}

export function everythingConfig(name = 'everything', more: object = {}): Config {
  return stdioConfig(name, [everythingPath, 'stdio'], more);
}

/** Light, and its only state is a file that is not there until something is stored. */
export function memoryConfig(name: string, more: object = {}): Config {
  return stdioConfig(name, [memoryPath], more);
}

export function faultConfig(name: string, flags: readonly string[] = [], more: object = {}): Config {
  return stdioConfig(name, [faultPath, ...flags], more);
}

/** Its results lead to resources that it does not list. */
export function linkingConfig(name: string): Config {
  return stdioConfig(name, [linkingPath, name]);
}

/** Files for `runService({ configs })`. */
export function configFiles(...configs: readonly Config[]): Record<string, Config> {
  return Object.fromEntries(configs.map((config) => [config.name, config]));
}

export interface ServerProcess {
  readonly port: number;
  /** Resolves when it is gone. */
  kill(): Promise<void>;
}

/** Everything over `streamableHttp` or `sse`, listening when this resolves. */
export async function startEverything(
  transport: 'streamableHttp' | 'sse',
  port?: number,
): Promise<ServerProcess> {
  const chosen = port ?? (await freePort());
  const child = spawn(process.execPath, [everythingPath, transport], {
    cwd: projectDir,
    env: { ...plainEnvironment(), PORT: String(chosen) },
    stdio: 'ignore',
  });
  await waitUntil(`everything listens on port ${chosen}`, () => accepts(chosen));
  return { port: chosen, kill: () => kill(child) };
}

function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
