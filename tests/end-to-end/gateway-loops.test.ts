/** A gateway among its own servers, directly or round a ring of gateways, would list its own tools again and again. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { manage } from '../support/manager-api.ts';
import { type RecordingUpstream, startRecordingUpstream } from '../support/recording-upstream.ts';
import { type RunningService, runService } from '../support/run-service.ts';

const test = suite('gateways that lead back to themselves');
const group = (...servers: string[]) => ({
  name: 'svc-global',
  included_tools: [],
  included_servers: servers,
});
const services: RunningService[] = [];
let leaf: RecordingUpstream | undefined;

test.before(async () => {
  leaf = await startRecordingUpstream();
  // One after another: three embedded databases at once take long to come up.
  for (const next of ['b', 'c', 'a']) {
    const alone = { ...group('leaf'), name: 'alone' };
    services.push(await runService({ groups: { 'svc-global': group('leaf', 'self', next), alone } }));
  }
  const [a] = services as [RunningService];
  await register(a, 'leaf', `${leaf.origin}/mcp`);
});
test.after(async () => {
  await Promise.all(services.map((service) => service.remove()));
  await leaf?.close();
});

async function register(service: RunningService, name: string, url: string): Promise<string> {
  const body = { name, transport: 'streamable_http', url };
  return manage(service, 'POST', '/api/servers', body).then(
    () => 'registered',
    (error: Error) => error.message,
  );
}

async function toolNames(service: RunningService): Promise<string[]> {
  const { servers } = await manage(service, 'GET', '/api/tools');
  const tools = Object.values(servers).flat() as { name: string }[];
  return tools.map(({ name }) => name).sort();
}

test('the gateway itself is refused with a sentence, by whatever name and group', async () => {
  const [a] = services as [RunningService];
  const { port } = new URL(a.gatewayUrl);

  for (const url of [a.groupUrl(), a.groupUrl('alone'), `http://localhost:${port}/mcp`]) {
    const answer = await register(a, 'self', url);
    assert.match(answer, '502');
    assert.match(answer, /it is this gateway itself/);
  }
  assert.equal(await toolNames(a), ['leaf__get']);
});

test('a chain of gateways works, and is refused where it would become a ring', async () => {
  const [a, b, c] = services as [RunningService, RunningService, RunningService];

  // Each of them follows the one that knows a server; the last link would close the ring.
  assert.is(await register(c, 'a', a.groupUrl()), 'registered');
  assert.is(await register(b, 'c', c.groupUrl()), 'registered');
  const closing = await register(a, 'b', b.groupUrl());

  assert.match(closing, /leads back to this gateway/);
  assert.equal(await toolNames(a), ['leaf__get']);
  assert.equal(await toolNames(c), ['a__leaf__get']);
  assert.equal(await toolNames(b), ['c__a__leaf__get']);
});

test('other servers hear nothing that they would have to understand', () => {
  const initialize = leaf?.requests.find((request) => request.includes('"initialize"')) ?? '';
  const { params } = JSON.parse(initialize.slice(initialize.indexOf('\n\n')));

  assert.equal(Object.keys(params.capabilities.experimental), ['svc-mcp.gateway']);
  assert.equal(Object.keys(params), ['protocolVersion', 'capabilities', 'clientInfo']);
});

test.run();
