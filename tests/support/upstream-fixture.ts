import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ListedTool } from '../../lib/catalog/catalog.ts';
import { defaultLimits, defaultTimeouts, type ServerConfig } from '../../lib/config/server-config.ts';
import type { RawAnswer } from '../../lib/json-rpc/server-messages.ts';
import { type Log, silentLog } from '../../lib/log.ts';
import type { Secrets } from '../../lib/secrets/secrets.ts';
import { createNodeOpeners, type NodeOpenersOptions } from '../../lib/services/node-openers.ts';
import { createUpstreams } from '../../lib/upstreams/create-upstreams.ts';
import type { SessionClients } from '../../lib/upstreams/sessions/session-clients.ts';
import type { Openers, OpenTransport } from '../../lib/upstreams/transports/transport.ts';
import type { UpstreamRequest, Upstreams } from '../../lib/upstreams/upstreams.ts';

/** Real upstreams over real processes and sockets, with what they report written down. */
export interface UpstreamFixture {
  readonly upstreams: Upstreams;
  /** Names of the tools of each listing, in order, by server. */
  readonly listings: { server: string; tools: readonly ListedTool[] }[];
  /** What servers told outside of any call, in order. */
  readonly notificationFeed: {
    server: string;
    method: string;
    text: string;
    sessionId: string | undefined;
  }[];
  readonly logged: { message: string; fields: Readonly<Record<string, unknown>> }[];
  readonly secrets: Map<string, string>;
  call(server: string, tool: string, args?: object, more?: Partial<UpstreamRequest>): Promise<RawAnswer>;
  /** Text of the first content block of the answer. */
  callText(server: string, tool: string, args?: object, more?: Partial<UpstreamRequest>): Promise<string>;
  close(): Promise<void>;
}

export const faultServerPath = fileURLToPath(new URL('fault-server.mjs', import.meta.url));
export const lateServerPath = fileURLToPath(new URL('late-server.mjs', import.meta.url));
export const answeringServerPath = fileURLToPath(new URL('answering-server.mjs', import.meta.url));

export function serverConfig(fields: Partial<ServerConfig> & { name: string }): ServerConfig {
  return { ...plainConfig, ...fields };
}

const plainConfig: Omit<ServerConfig, 'name'> = {
  transport: 'stdio',
  description: '',
  command: undefined,
  args: [],
  env: {},
  cwd: undefined,
  image: undefined,
  port: undefined,
  path: undefined,
  url: undefined,
  headers: {},
  bearerToken: undefined,
  sessionMode: 'stateless',
  timeouts: defaultTimeouts,
  givenTimeouts: {},
  limits: defaultLimits,
  network: 'bridge',
  readOnly: false,
  user: undefined,
  entrypoint: undefined,
  pull: 'always',
  volumes: [],
  shmMb: undefined,
  capabilities: [],
};

/** The fault server as a child process. */
export function faultConfig(
  name: string,
  flags: readonly string[] = [],
  fields: Partial<ServerConfig> = {},
): ServerConfig {
  return serverConfig({ name, command: process.execPath, args: [faultServerPath, ...flags], ...fields });
}

/** How a config refers to a secret. */
export function reference(name: string): string {
  return `\${${name}}`;
}

/**
 * @param container Of servers with an image, in the place of an engine's.
 * @param clients Behind sessions, for connections that serve one alone.
 */
export function createUpstreamFixture(
  options: Partial<NodeOpenersOptions> = {},
  container?: (openers: Openers) => OpenTransport,
  clients?: SessionClients,
): UpstreamFixture {
  const listings: UpstreamFixture['listings'] = [];
  const logged: UpstreamFixture['logged'] = [];
  const notificationFeed: UpstreamFixture['notificationFeed'] = [];
  const secrets = new Map<string, string>();
  const log: Log = { ...silentLog, warn: (fields, message) => void logged.push({ fields, message }) };
  const openers = createNodeOpeners({ installationId: 'test', allowedUpstreams: [], ...options });
  const upstreams = createUpstreams({
    secrets: readOnlySecrets(secrets),
    openers: container ? { ...openers, container: container(openers) } : openers,
    log,
    onTools: (config, tools) => void listings.push({ server: config.name, tools }),
    onUnsolicited: (server, { method, text }, sessionId) =>
      void notificationFeed.push({ server, method, text, sessionId }),
    onStatus() {},
    ...(clients ? { clients } : {}),
  });

  const call: UpstreamFixture['call'] = (server, tool, args = {}, more = {}) =>
    upstreams.request({
      server,
      sessionId: 'session',
      method: 'tools/call',
      params: (token) => JSON.stringify({ name: tool, arguments: args, _meta: { progressToken: token } }),
      signal: new AbortController().signal,
      ...more,
    });
  const callText: UpstreamFixture['callText'] = async (...parameters) => textOf(await call(...parameters));
  return {
    upstreams,
    listings,
    notificationFeed,
    logged,
    secrets,
    call,
    callText,
    close: () => upstreams.close(),
  };
}

export function textOf(answer: RawAnswer): string {
  if ('error' in answer) throw new Error(`expected a result, got ${answer.error}`);
  return JSON.parse(answer.result).content[0].text;
}

export function readOnlySecrets(values: ReadonlyMap<string, string>): Secrets {
  const refuse = () => Promise.reject(new Error('not used here'));
  return {
    method: 'env_file',
    read: async (names) => new Map([...values].filter(([name]) => names.includes(name))),
    names: async () => new Set(values.keys()),
    write: refuse,
    remove: refuse,
    isReachable: async () => true,
  };
}

/** A program that listens; resolves with the port it prints. Port 0 picks a free one. */
export interface ListeningServer {
  readonly port: number;
  readonly process: ChildProcess;
  kill(): Promise<void>;
}

export function startHttpFaultServer(flags: readonly string[] = [], port = 0): Promise<ListeningServer> {
  return startListening(faultServerPath, flags, port);
}

export async function startListening(
  path: string,
  flags: readonly string[] = [],
  port = 0,
): Promise<ListeningServer> {
  const child = spawn(process.execPath, [path, '--port', String(port), ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const listening = await new Promise<number>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (line: string) => {
      const match = /listening (\d+)/.exec(line);
      if (match) resolve(Number(match[1]));
    });
    child.on('exit', () => reject(new Error(`${path} did not start`)));
  });
  return { port: listening, process: child, kill: () => killAndWait(child) };
}

export async function killAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

export async function failureOf(promise: Promise<unknown>): Promise<{ code?: string; message: string }> {
  try {
    await promise;
  } catch (error) {
    return error as { code?: string; message: string };
  }
  throw new Error('expected a rejection');
}

/** Looks every 20 ms until `condition` holds. */
export async function until(condition: () => boolean, withinMs = 5000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
