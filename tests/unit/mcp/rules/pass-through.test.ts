import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createGatewayFixture } from '../../../support/gateway-fixture.ts';
import { type Fetch, openSession, post, request } from '../../../support/mcp-exchange.ts';
import { onBothLegs } from '../../../support/two-legs.ts';

const test = suite('rules of passing through');

const pointing =
  '{"name":"pointing","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema",' +
  '"type":"object","properties":{"a":{"$ref":"http://192.0.2.1/schema.json"},"b":{"$ref":"#/$defs/b"}},' +
  '"$defs":{"b":{"$anchor":"b","type":"string"}},"if":{"required":["a"]},"then":{"required":["b"]}},' +
  '"outputSchema":{"type":"object","required":["n"]}}';
const withPointing = { servers: { demo: [pointing] }, groups: { 'svc-global': ['demo__pointing'] } };

onBothLegs(
  test,
  'rule 40: a schema that points into the network is listed as it is',
  async ({ fetch }) => {
    const session = await openSession(fetch);

    const { body } = await post(fetch, request(1, 'tools/list'), session);

    assert.equal(body.result.tools, [{ ...JSON.parse(pointing), name: 'demo__pointing' }]);
  },
  withPointing,
);

test('rule 40: what a schema points to is not fetched', async () => {
  let visits = 0;
  const server = createServer((_request, response) => {
    visits += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const tool = pointing.replace('192.0.2.1', `127.0.0.1:${port}`);
  const { handle, streams } = createGatewayFixture({ ...withPointing, servers: { demo: [tool] } });
  const ask: Fetch = (path, init) => handle(new Request(`http://127.0.0.1${path}`, init));
  const session = await openSession(ask);

  await post(ask, request(1, 'tools/list'), session);
  await post(ask, request(2, 'tools/call', { name: 'demo__pointing', arguments: { a: 1 } }), session);

  assert.is(visits, 0);
  streams.closeAll();
  await new Promise((resolve) => server.close(resolve));
});

onBothLegs(
  test,
  'rule 39: a result that breaks the tool’s output schema is the client’s to judge',
  async (leg) => {
    const session = await openSession(leg.fetch);
    leg.upstreams.answerWith(() => ({ result: '{"content":[],"structuredContent":{"n":"none"}}' }));

    const { body } = await post(leg.fetch, request(1, 'tools/call', { name: 'demo__pointing' }), session);

    assert.equal(body.result, { content: [], structuredContent: { n: 'none' } });
  },
  withPointing,
);

onBothLegs(test, 'rule 53: trace context in _meta reaches the server', async (leg) => {
  const session = await openSession(leg.fetch);
  const _meta = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', baggage: 'k=v' };

  await post(leg.fetch, request(1, 'tools/call', { name: 'demo__echo', _meta }), session);

  assert.equal(JSON.parse(leg.upstreams.calls[0]?.params ?? '{}')._meta, _meta);
});

onBothLegs(test, 'rule 53: the client’s credentials and headers do not reach the server', async (leg) => {
  const session = await openSession(leg.fetch);
  const headers = { ...session, Authorization: 'Bearer mine', Cookie: 'a=1' };

  await post(leg.fetch, request(1, 'tools/call', { name: 'demo__echo' }), headers);

  assert.not.match(JSON.stringify(leg.upstreams.calls), /mine|a=1/);
});

onBothLegs(test, 'rule 52: tasks are not offered, and their methods are unknown', async ({ fetch }) => {
  const params = { protocolVersion: '2025-11-25', capabilities: { tasks: { list: {} } }, clientInfo: {} };
  const initialized = await post(
    fetch,
    request(0, 'initialize', { ...params, clientInfo: { name: 't', version: '1' } }),
  );
  const session = { 'Mcp-Session-Id': initialized.headers.get('mcp-session-id') ?? '' };

  assert.is(initialized.body.result.capabilities.tasks, undefined);
  for (const method of ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel']) {
    const { body } = await post(fetch, request(1, method, { taskId: 'x' }), session);

    assert.is(body.error.code, -32601, method);
  }
});

test.run();
