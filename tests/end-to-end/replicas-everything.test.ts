/**
 * All that the reference server offers, over each transport, through three replicas whose requests are dealt round
 * robin: tools, prompts, resources, templates and completions are what a direct connection gets.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Replicas, startReplicas } from '../conformance/replicas.ts';
import { connectDirectly, type DirectConnection } from '../support/direct-connection.ts';
import { type ConnectedClient, connectClient, openSession } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import type { RunningService } from '../support/run-service.ts';
import { configFiles, type ServerProcess, startEverything } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Compared, comparable, comparedServers } from './compared-servers.ts';
import type { SampleCall } from './sample-calls.ts';

const test = suite('everything through three replicas');
const database = await createTestDatabase('everything');
const onPostgres = database === undefined ? test.skip : test;
const files = mkdtempSync(join(tmpdir(), 'svc-files-'));
const upstreams: ServerProcess[] = [];
const direct = new Map<string, DirectConnection>();
const clients = new Map<string, ConnectedClient>();
let servers: readonly Compared[] = [];
let replicas: Replicas;

// What these answer depends on their client; they have tests of their own.
const asking = /^(trigger-(sampling|elicitation|url).*|simulate-research-query)$/;

const prompts = [
  { name: 'simple-prompt', args: {} },
  { name: 'args-prompt', args: { city: 'Oslo', state: 'Østlandet' } },
  { name: 'completable-prompt', args: { department: 'Sales', name: 'Eve' } },
  { name: 'resource-prompt', args: { resourceType: 'Text', resourceId: '7' } },
];

test.before(async () => {
  if (database === undefined) return;
  const [http, sse] = await Promise.all([startEverything('streamableHttp'), startEverything('sse')]);
  upstreams.push(http, sse);
  servers = comparedServers(files, http, sse).filter(({ name }) => name.startsWith('everything'));
  const groups = Object.fromEntries(servers.map(({ name }) => [name, groupOf(name)]));
  const configs = configFiles(...servers.map(({ config }) => config));
  replicas = await startReplicas({ database, configs, groups });
  await Promise.all(servers.map(connectBoth));
});

test.after(async () => {
  for (const { close } of clients.values()) await close();
  for (const connection of direct.values()) await connection.close();
  await replicas?.remove();
  for (const upstream of upstreams) await upstream.kill();
  rmSync(files, { recursive: true, force: true });
});

function groupOf(server: string) {
  return { name: server, description: '', included_tools: [], included_servers: [server] };
}

async function connectBoth({ name, directTransport }: Compared): Promise<void> {
  direct.set(name, await connectDirectly(directTransport()));
  await Promise.all(replicas.all.map((service) => offersPrompts(service, name)));
  clients.set(name, await connectClient(replicas.groupUrl(name)));
}

/** Prompts are listed after the tools, and told with the capabilities of sessions that begin later. */
function offersPrompts(service: RunningService, group: string): Promise<boolean> {
  return waitUntil(`the prompts of ${group} are listed`, async () => {
    const { request } = await openSession(service.groupUrl(group));
    return (await request('prompts/list')).body.result.prompts.length > 0;
  });
}

// biome-ignore lint/suspicious/noExplicitAny: results of any shape are compared
async function through(server: string, method: string, params: object = {}): Promise<any> {
  const connected = clients.get(server);
  return connected?.client.request({ method, params: { ...params } }, ResultSchema);
}

// biome-ignore lint/suspicious/noExplicitAny: results of any shape are compared
async function directly(server: string, method: string, params: object = {}): Promise<any> {
  const outcome = await direct.get(server)?.request(method, params);
  if (outcome === undefined || 'error' in outcome) throw new Error(JSON.stringify(outcome));
  return outcome.result;
}

async function listed(server: string, method: string, member: string): Promise<{ uri: string }[]> {
  return (await through(server, method))[member];
}

function equalButTime(actual: unknown, expected: unknown, what: string): void {
  assert.equal(comparable({ result: actual }), comparable({ result: expected }), what);
}

/** Runs for each transport in turn; whatever fails names the server. */
async function eachServer(compare: (server: string) => Promise<void>): Promise<void> {
  for (const { name } of servers) await compare(name);
}

onPostgres('every tool that needs nothing of its client', () =>
  eachServer(async (server) => {
    const { calls } = servers.find(({ name }) => name === server) as Compared;
    const plain = calls.filter(({ tool }: SampleCall) => !asking.test(tool));
    for (const { tool, args } of plain) {
      const actual = await through(server, 'tools/call', { name: `${server}__${tool}`, arguments: args });
      const expected = await directly(server, 'tools/call', { name: tool, arguments: args });
      equalButTime(actual, expected, `${server}__${tool}`);
    }
    assert.ok(plain.length >= 12);
  }),
);

onPostgres('every prompt', () =>
  eachServer(async (server) => {
    const actual = await through(server, 'prompts/list');
    const expected = await directly(server, 'prompts/list');
    const named = expected.prompts.map((prompt: { name: string }) => ({
      ...prompt,
      name: `${server}__${prompt.name}`,
    }));
    assert.equal(actual.prompts, named);
    for (const { name, args } of prompts) {
      const got = await through(server, 'prompts/get', { name: `${server}__${name}`, arguments: args });
      equalButTime(got, await directly(server, 'prompts/get', { name, arguments: args }), name);
    }
  }),
);

onPostgres('every resource and every template, with the server’s own URIs', () =>
  eachServer(async (server) => {
    const { resources } = await directly(server, 'resources/list');
    const own = resources.filter(({ uri }: { uri: string }) => uri.includes('/static/'));
    const seen = await listed(server, 'resources/list', 'resources');
    assert.equal(
      seen.filter(({ uri }) => uri.includes('/static/')),
      own,
    );
    assert.equal(
      await through(server, 'resources/templates/list'),
      await directly(server, 'resources/templates/list'),
    );
    const dynamic = ['demo://resource/dynamic/text/7', 'demo://resource/dynamic/blob/8'];
    for (const uri of [...own.map((resource: { uri: string }) => resource.uri), ...dynamic]) {
      const [actual, expected] = [
        await through(server, 'resources/read', { uri }),
        await directly(server, 'resources/read', { uri }),
      ];
      if (uri.includes('/blob/')) assert.is(actual.contents[0].uri, uri);
      else equalButTime(actual, expected, uri);
    }
  }),
);

onPostgres('completions of prompts, with what was chosen before, and of templates', () =>
  eachServer(async (server) => {
    const argument = { name: 'name', value: 'E' };
    const context = { arguments: { department: 'Sales' } };
    const template = { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' };
    const ofPrompt = (name: string) => ({ ref: { type: 'ref/prompt', name }, argument, context });
    const ofTemplate = { ref: template, argument: { name: 'resourceId', value: '12' } };

    const actual = await through(server, 'completion/complete', ofPrompt(`${server}__completable-prompt`));

    assert.equal(actual, await directly(server, 'completion/complete', ofPrompt('completable-prompt')));
    assert.equal(actual.completion.values, ['Eve']);
    assert.equal(
      await through(server, 'completion/complete', ofTemplate),
      await directly(server, 'completion/complete', ofTemplate),
    );
  }),
);

test.run();
