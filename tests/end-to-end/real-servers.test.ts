/**
 * What agents get through the gateway is what the servers say: every definition and a result of every tool of the
 * official servers, over stdio, Streamable HTTP and legacy SSE, is deep-equal to that of a direct connection.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectDirectly, type DirectConnection, type Outcome } from '../support/direct-connection.ts';
import { manage, replaceTools, toolsOf } from '../support/manager-api.ts';
import {
  type ConnectedClient,
  connectClient,
  openSession,
  type PlainSession,
} from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { type ServerProcess, startEverything } from '../support/test-servers.ts';
import { type Compared, comparable, comparedServers, workFolder } from './compared-servers.ts';
import { resetFolder, type SampleCall } from './sample-calls.ts';

const test = suite('real servers behind the gateway');
const files = mkdtempSync(join(tmpdir(), 'svc-files-'));
const folder = workFolder(files);
const upstreams: ServerProcess[] = [];
const servers: Compared[] = [];
const direct = new Map<string, DirectConnection>();
let service: RunningService;
let sdk: ConnectedClient;
let curl: PlainSession;

test.before(async () => {
  writeFileSync(join(files, 'untouched.txt'), 'its times never change\n');
  resetFolder(folder);
  service = await runService();
  upstreams.push(await startEverything('streamableHttp'), await startEverything('sse'));
  const [http, sse] = upstreams;
  if (http && sse) servers.push(...comparedServers(files, http, sse));
  for (const { name, directTransport } of servers) direct.set(name, await connectDirectly(directTransport()));
});

test.after(async () => {
  await sdk?.close();
  for (const connection of direct.values()) await connection.close();
  await service?.remove();
  for (const upstream of upstreams) await upstream.kill();
  rmSync(files, { recursive: true, force: true });
});

function directly(name: string): DirectConnection {
  const connection = direct.get(name);
  if (connection === undefined) throw new Error(`Not connected: ${name}`);
  return connection;
}

async function overSdk(name: string, args: object): Promise<Outcome> {
  try {
    const params = { name, arguments: args };
    return { result: await sdk.client.request({ method: 'tools/call', params }, ResultSchema) };
  } catch (error) {
    const { code, message, data } = error as { code: number; message: string; data?: unknown };
    return {
      error: {
        code,
        message: message.replace(/^MCP error -?\d+: /, ''),
        ...(data === undefined ? {} : { data }),
      },
    };
  }
}

async function overCurl(name: string, args: object): Promise<Outcome> {
  const { body } = await curl.request('tools/call', { name, arguments: args });
  return 'result' in body ? { result: body.result } : { error: body.error };
}

test('each is registered with one command', async () => {
  for (const { name, config } of servers) {
    const path = join(service.dir, `${name}.json`);
    writeFileSync(path, JSON.stringify(config));

    const { code, stdout, stderr } = await service.cli(['register', '-c', path]);

    assert.is(code, 0, stderr);
    assert.ok(stdout.includes(`${name}__`), stdout);
  }
  const { servers: listed } = await manage(service, 'GET', '/api/servers');
  assert.equal(
    listed.map(({ name, status }: { name: string; status: string }) => [name, status]).sort(),
    servers.map(({ name }) => [name, 'connected']).sort(),
  );
});

test('ticked tools are what a session of the SDK client and one of curl list, in the same order', async () => {
  const tools = (await Promise.all(servers.map(({ name }) => toolsOf(service, name)))).flat();
  await replaceTools(service, 'svc-global', tools);

  sdk = await connectClient(service.groupUrl());
  curl = await openSession(service.groupUrl());
  const viaSdk = await sdk.client.listTools();
  const viaCurl = await curl.request('tools/list');

  assert.equal(
    viaSdk.tools.map(({ name }) => name),
    tools,
  );
  assert.equal(
    viaCurl.body.result.tools.map(({ name }: { name: string }) => name),
    tools,
  );
  assert.match(viaCurl.headers.get('content-type') ?? '', /^application\/json/);
});

test('every definition is deep-equal to the server’s own but for its name', async () => {
  const viaSdk = await sdk.client.request({ method: 'tools/list' }, ResultSchema);
  const viaCurl = (await curl.request('tools/list')).body.result;

  for (const { name: server } of servers) {
    const listed = await directly(server).request('tools/list');
    if ('error' in listed) throw new Error(JSON.stringify(listed.error));
    const expected = listed.result.tools
      .map((tool: { name: string }) => ({ ...tool, name: `${server}__${tool.name}` }))
      .sort(byName);
    for (const result of [viaSdk, viaCurl]) {
      const own = (result as { tools: { name: string }[] }).tools.filter(({ name }) =>
        name.startsWith(`${server}__`),
      );
      assert.equal(own.sort(byName), expected);
    }
  }
});

test('the sample calls leave no tool out', async () => {
  for (const { name, calls } of servers) {
    const named = calls.map(({ tool }) => `${name}__${tool}`).sort();
    assert.equal(named, (await toolsOf(service, name)).sort());
  }
});

test('a result of every tool is deep-equal to the server’s own, over the SDK client and over curl', async () => {
  const outcomes = await Promise.allSettled(servers.map(compareResults));

  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
});

/** Two passes on each side, so that a server's state is the same on both. The files are one set: in turn there. */
async function compareResults({ name: server, calls }: Compared): Promise<void> {
  const expecting = (async () => [await pass(server, calls), await pass(server, calls)])();
  expecting.catch(() => {});
  if (server === 'filesystem') await expecting;
  const viaSdk = await pass(server, calls, overSdk);
  const viaCurl = await pass(server, calls, overCurl);
  const expected = await expecting;

  calls.forEach(({ tool }, at) => {
    assert.equal(viaSdk[at], expected[0]?.[at], `${server}__${tool} over the SDK client`);
    assert.equal(viaCurl[at], expected[1]?.[at], `${server}__${tool} over curl`);
  });
}

/** Calls all tools in turn; without `call`, on the direct connection. */
async function pass(
  server: string,
  calls: readonly SampleCall[],
  call?: (name: string, args: object) => Promise<Outcome>,
): Promise<unknown[]> {
  if (server === 'filesystem') resetFolder(folder);
  const outcomes: unknown[] = [];
  for (const { tool, args } of calls) {
    const outcome = call
      ? await call(`${server}__${tool}`, args)
      : await directly(server).request('tools/call', { name: tool, arguments: args });
    outcomes.push(comparable(outcome));
  }
  return outcomes;
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

test('a result with more than one content type came through whole', async () => {
  const image = await overCurl('everything__get-tiny-image', {});
  const structured = await overCurl('everything__get-structured-content', { location: 'Chicago' });

  assert.equal('result' in image && image.result.content.map(({ type }: { type: string }) => type), [
    'text',
    'image',
    'text',
  ]);
  assert.is('result' in structured && structured.result.structuredContent.humidity, 82);
});

test.run();
