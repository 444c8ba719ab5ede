/**
 * Sends secret values through every way into a service: registration by command line and API, files written by hand,
 * failures of every kind, wrong bodies, tokens, calls. Servers print what they are given; every answer is kept.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Canaries } from '../support/canaries.ts';
import type { RecordedAnswer, RecordedAnswers } from '../support/recorded-answers.ts';
import type { RunningService } from '../support/run-service.ts';
import { stdioConfig } from '../support/test-servers.ts';
import { startHttpFaultServer } from '../support/upstream-fixture.ts';
import { waitUntil } from '../support/wait-until.ts';

export interface Paths {
  readonly service: RunningService;
  readonly canaries: Canaries;
  readonly answers: RecordedAnswers;
  readonly adminToken: string;
  readonly gatewayToken: string;
}

export const leakyPath = 'tests/support/leaky-server.mjs';

/** An administrator's call. */
export function asAdmin(paths: Paths, method: string, path: string, body?: unknown, headers = {}) {
  return paths.answers.send(method, `${paths.service.managerUrl}${path}`, {
    headers: { authorization: `Bearer ${paths.adminToken}`, ...headers },
    body,
  });
}

export async function useEveryPath(paths: Paths): Promise<void> {
  await registerByCommandLine(paths);
  await registerByApi(paths);
  await registerOverHttp(paths);
  await writeByHand(paths);
  await failInEveryWay(paths);
  await callTools(paths);
  await provision(paths);
}

async function registerByCommandLine(paths: Paths): Promise<void> {
  const { canaries, service } = paths;
  const env = () => ({ API_KEY: canaries.make('env, by command line'), PEM: pem(canaries) });
  const config = () => stdioConfig('cli', [leakyPath], { env: env() });
  const good = writeFile(service, 'cli.json', config());
  await cli(paths, 'register', '-c', good, '--dry-run');
  await cli(paths, 'register', '-c', good);
  await cli(paths, 'register', '-c', writeFile(service, 'cli.json', config()), '--json');
  const dying = stdioConfig('dying', [leakyPath, 'die'], { env: env() });
  await cli(paths, 'register', '-c', writeFile(service, 'dying.json', dying));
  await cli(
    paths,
    'register',
    '-c',
    writeFile(service, 'broken.json', `{"env": {"A": "${env().API_KEY}" "B"`),
  );
  const unknown = { ...config(), password: canaries.make('unknown field of a config') };
  await cli(paths, 'register', '-c', writeFile(service, 'unknown.json', unknown));
  const foreign = { mcpServers: { brought: { command: 'node', args: [leakyPath], env: env() } } };
  await cli(paths, 'import', writeFile(service, 'foreign.json', foreign));
  await cli(paths, 'list', 'servers', '--json');
  await cli(paths, 'list', 'servers', '--manager', service.managerUrl);
  await cli(paths, 'client', 'cursor');
}

async function registerByApi(paths: Paths): Promise<void> {
  const { canaries } = paths;
  const env = () => ({
    TOKEN: canaries.make('env, by API'),
    QUOTED: `"${canaries.make('quoted env, by API')}\\"`,
  });
  const register = (name: string, mode: string, more = {}) =>
    asAdmin(paths, 'POST', '/api/servers', {
      ...stdioConfig(name, [leakyPath, mode], { env: env() }),
      ...more,
    });
  await register('api', 'serve', { dry_run: true });
  expectStatus(await register('api', 'serve'), 201);
  expectStatus(await register('api', 'serve'), 409);
  expectStatus(await register('api', 'serve', { replace: true }), 200);
  await register('api', 'die', { replace: true });
  await register('refusing', 'refuse');
  await register('odd', 'odd');
  await register('hanging', '', {
    args: ['tests/support/fault-server.mjs', '--on-start', 'hang'],
    timeouts: { start_ms: 300 },
  });
  await register('gone', 'serve', { command: 'no-such-program' });
  expectStatus(await register('short-lived', 'serve'), 201);
  await asAdmin(paths, 'DELETE', '/api/servers/short-lived');
}

async function registerOverHttp(paths: Paths): Promise<void> {
  const { canaries } = paths;
  const working = await startHttpFaultServer();
  const leaky = await startLeakyHttpServer();
  const register = (name: string, url: string) =>
    asAdmin(paths, 'POST', '/api/servers', {
      ...{ name, transport: 'streamable_http', timeouts: { start_ms: 1000 } },
      url: `${url}?api_key=${canaries.make('url query')}&${canaries.make('bare url query')}`,
      headers: { 'X-Api-Key': canaries.make('header'), Cookie: canaries.make('cookie header') },
      bearer_token: canaries.make('bearer_token'),
    });
  expectStatus(await register('http', `http://127.0.0.1:${working.port}/mcp`), 201);
  await register('answers-401', `${leaky.url}/401`);
  await register('answers-500', `${leaky.url}/500`);
  await register('redirects', `${leaky.url}/307`);
  await register('speaks-html', `${leaky.url}/200`);
  await register('closed', 'http://127.0.0.1:1/mcp');
  await working.kill();
  leaky.close();
  await asAdmin(paths, 'POST', '/api/servers/http/restart');
}

/** Refuses everything and repeats in header and body what it was sent. */
async function startLeakyHttpServer(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    const text = JSON.stringify(request.headers);
    const status = Number(request.url?.slice(1, 4));
    response.writeHead(status, { 'x-echo': text, location: `/200?${encodeURIComponent(text)}` }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Literals, a reference, and a file that breaks while it serves. These files are their author's, not ours. */
async function writeByHand(paths: Paths): Promise<void> {
  const { canaries, service } = paths;
  const write = (name: string, content: unknown) =>
    writeFileSync(
      join(service.configsDir, `${name}.json`),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  const env = { KEY: canaries.make('env, by hand'), PEM: pem(canaries) };
  write('hand', stdioConfig('hand', [leakyPath], { env }));
  write(
    'hand-dying',
    stdioConfig('hand-dying', [leakyPath, 'die'], { env: { KEY: canaries.make('env, by hand') } }),
  );
  write('hand-broken', `{"name": "hand-broken", "env": {"KEY": "${canaries.make('broken file, by hand')}"`);
  write('hand-wrong', { ...stdioConfig('hand-wrong', []), env: [canaries.make('wrong type, by hand')] });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: references in a registration config
  const references = { env: { KEY: '${REFERRED}', STRAY: '${STRAY}', MIXED: 'a ${REFERRED} b' } };
  write('referring', stdioConfig('referring', [leakyPath], references));
  await untilStatus(paths, 'hand', 'connected');
}

async function failInEveryWay(paths: Paths): Promise<void> {
  const { canaries, answers, service } = paths;
  const value = () => canaries.make('body of a wrong type');
  const bodies = [
    `{"name": "x", "env": {"A": "${canaries.make('broken body')}"`,
    { name: [value()], env: value(), tools: { a: value() }, tool: { a: value() }, env_vars: [value()] },
    {
      ...stdioConfig('x', [leakyPath]),
      transport: value(),
      timeouts: { call_ms: value() },
      headers: { 'A\n': value() },
    },
    {
      ...{ name: 'x', transport: 'sse', url: `http://${value()}:${value()}@127.0.0.1:1/?a=${value()}` },
    },
    { ...stdioConfig('x', [leakyPath]), env: { 'A=B': value(), C: { D: value() } }, bearer_token: [value()] },
  ];
  for (const path of ['/api/servers', '/api/servers/provision', '/api/tools/toggle', '/api/groups/x/tools']) {
    for (const body of bodies) await asAdmin(paths, 'POST', path, body);
  }
  for (const url of [`${service.managerUrl}/api/servers`, service.groupUrl()]) {
    const wrong = { authorization: `Bearer ${canaries.make('wrong token')}` };
    await answers.send('GET', url, { headers: wrong });
    await answers.send('POST', url, { headers: wrong, body: bodies[1] });
    await answers.send('GET', `${url}?token=${canaries.make('query')}`);
    await answers.send('POST', url, { headers: { host: canaries.make('host') }, body: bodies[0] });
  }
}

async function callTools(paths: Paths): Promise<void> {
  const { canaries, answers, service, gatewayToken } = paths;
  const rpc = (method: string, params: unknown, headers = {}) =>
    answers.send('POST', service.groupUrl(), {
      headers: { authorization: `Bearer ${gatewayToken}`, ...headers },
      body: { jsonrpc: '2.0', id: 1, method, params },
    });
  const clientInfo = { name: 'test', version: '1' };
  const opened = await rpc('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await rpc('tools/list', {}, session);
  for (const name of [
    'api__slow',
    'api__rpc_error',
    'api__crash',
    'http__slow',
    'hand__slow',
    'api__hidden',
    'no__tool',
  ]) {
    await rpc('tools/call', { name, arguments: { secret: canaries.make('argument of a call') } }, session);
  }
  for (const name of ['api__slow', 'api__rpc_error', 'api__crash', 'api__hidden', 'no__tool']) {
    const body = { arguments: { secret: canaries.make('argument of a try') } };
    await asAdmin(paths, 'POST', `/api/tools/${name}/try`, body);
  }
  await asAdmin(paths, 'POST', '/api/tools/api__slow/try', { group: canaries.make('group of a try') });
  await rpc('tools/call', { name: { a: canaries.make('wrong call') } }, session);
  await rpc('no/such', { a: canaries.make('params') }, session);
  const broken = `{"jsonrpc": "2.0", "id": 1, "params": "${canaries.make('broken message')}`;
  const headers = { authorization: `Bearer ${gatewayToken}`, ...session };
  await answers.send('POST', service.groupUrl(), { headers, body: broken });
  await answers.send('GET', service.groupUrl(), { headers: { ...headers, accept: 'text/event-stream' } });
}

async function provision(paths: Paths): Promise<void> {
  const { canaries } = paths;
  const body = (image: string) => ({
    name: 'boxed',
    image,
    env_vars: { KEY: canaries.make('env_vars'), PEM: pem(canaries) },
  });
  await asAdmin(paths, 'POST', '/api/servers/provision', body('127.0.0.1:1/none:1'));
  const stream = { accept: 'text/event-stream' };
  await asAdmin(paths, 'POST', '/api/servers/provision', body('127.0.0.1:1/none:1'), stream);
  await asAdmin(paths, 'POST', '/api/servers/provision', {
    ...body('a'),
    image: `A&${canaries.make('image')}`,
  });
}

/** Waits for a server that the service found by itself. */
export function untilStatus(paths: Paths, name: string, status: string): Promise<unknown> {
  return waitUntil(`${name} is ${status}`, async () => {
    const { text } = await asAdmin(paths, 'GET', '/api/servers');
    const servers: { name: string; status: string }[] = JSON.parse(text).servers;
    return servers.some((server) => server.name === name && server.status === status);
  });
}

export function addToSecretsFile(service: RunningService, name: string, value: string): void {
  appendFileSync(join(service.dataDir, 'secrets.env'), `${name}=${value}\n`, { mode: 0o600 });
}

async function cli(paths: Paths, ...args: string[]): Promise<void> {
  const { stdout, stderr } = await paths.service.cli(args);
  paths.answers.keep(`svc-mcp ${args[0]}`, stdout + stderr);
}

/** A secret of several lines, as keys are. */
function pem(canaries: Canaries): string {
  const lines = [canaries.make('first line of a key'), canaries.make('second line of a key')];
  return ['-----BEGIN KEY-----', ...lines, '-----END KEY-----', ''].join('\n');
}

function writeFile(service: RunningService, name: string, content: unknown): string {
  const path = join(service.dir, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function expectStatus(answer: RecordedAnswer, status: number): void {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status} ${answer.text}`);
}
