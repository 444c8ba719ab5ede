import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { queryParam } from '../../../lib/http/route-table.ts';
import { endpoint, initializeMessage, openSession, post, read, request } from '../../support/mcp-exchange.ts';
import { onBothLegs } from '../../support/two-legs.ts';

const test = suite('routing, 405, HEAD');

onBothLegs(test, 'rule 11: other verbs on the endpoint are 405 with Allow', async ({ fetch }) => {
  for (const method of ['PUT', 'PATCH', 'OPTIONS']) {
    const answer = await read(await fetch(endpoint, { method }));

    assert.is(answer.status, 405, method);
    assert.is(answer.headers.get('allow'), 'DELETE, GET, HEAD, POST');
    assert.equal([answer.body.id, answer.body.error.code], [null, -32000]);
  }
});

onBothLegs(test, 'other verbs on plain paths are 405 with Allow', async ({ fetch }) => {
  for (const path of ['/api/v0/tools', '/healthz', '/readyz', '/metrics']) {
    const answer = await read(await fetch(path, { method: 'DELETE' }));

    assert.is(answer.status, 405, path);
    assert.is(answer.headers.get('allow'), 'GET, HEAD');
    assert.equal([answer.body.success, answer.body.code], [false, 'method_not_allowed']);
  }
});

onBothLegs(test, 'a path that leads nowhere is 404', async ({ fetch }) => {
  for (const path of ['/', '/v0/groups', '/v0/groups/a/b/mcp', '/api/v0/tools/x', '/API/V0/TOOLS', '/.env']) {
    const answer = await read(await fetch(path));

    assert.is(answer.status, 404, path);
    assert.is(answer.body.error?.data?.code ?? answer.body.code, 'not_found');
  }
});

onBothLegs(test, 'HEAD is GET without a body', async ({ fetch }) => {
  const head = await fetch('/api/v0/tools', { method: 'HEAD' });
  const nowhere = await fetch('/nowhere', { method: 'HEAD' });
  const endpointHead = await fetch(endpoint, { method: 'HEAD' });

  assert.equal([head.status, await head.text()], [200, '']);
  assert.is(head.headers.get('content-type'), 'application/json');
  assert.is(nowhere.status, 404);
  assert.is(endpointHead.status, 406);
});

onBothLegs(test, 'a slash at the end changes nothing', async ({ fetch }) => {
  const session = await openSession(fetch);

  const answer = await post(fetch, request(1, 'ping'), session, `${endpoint}/`);
  const refused = await post(fetch, request(1, 'ping'), { 'Content-Type': 'text/plain' }, `${endpoint}/`);

  assert.is(answer.status, 200);
  assert.is(refused.status, 415);
  assert.is(refused.body.error.code, -32000);
});

onBothLegs(test, 'dot segments lead to the path they mean', async ({ fetch }) => {
  const answer = await post(fetch, initializeMessage(), {}, `${endpoint}/../../../../api/v0/tools`);

  assert.is(answer.status, 405);
});

onBothLegs(test, 'a group name may be percent-encoded', async (leg) => {
  leg.groups.write('my.group-1_x', ['demo__echo']);

  const answer = await post(leg.fetch, initializeMessage(), {}, '/v0/groups/my%2Egroup%2D1_x/mcp');

  assert.is(answer.body.result.serverInfo.name, 'svc-mcp/my.group-1_x');
});

onBothLegs(
  test,
  'the flat list has every tool of every server, by name, whatever the groups show',
  async (leg) => {
    const definition = {
      name: 'rich',
      description: 'Does things',
      title: 'Rich',
      inputSchema: { type: 'object', properties: {} },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      icons: [],
    };
    leg.catalog.setTools('another', [JSON.stringify(definition)]);

    const answer = await read(await leg.fetch('/api/v0/tools'));

    assert.is(answer.status, 200);
    assert.equal(
      answer.body.map(({ name }: { name: string }) => name),
      ['another__rich', 'demo__add', 'demo__echo', 'demo__hidden'],
    );
    assert.equal(answer.body[0], {
      name: 'another__rich',
      server: 'another',
      description: 'Does things',
      title: 'Rich',
      input_schema: definition.inputSchema,
      output_schema: definition.outputSchema,
      annotations: definition.annotations,
    });
    assert.equal(answer.body[1], {
      name: 'demo__add',
      server: 'demo',
      description: '',
      input_schema: { type: 'object' },
    });
  },
);

onBothLegs(test, 'the flat list is 503 until groups and catalogue were loaded', async (leg) => {
  const ask = async () => await read(await leg.fetch('/api/v0/tools'));

  leg.groups.setLoaded(false);
  const withoutGroups = await ask();
  leg.groups.setLoaded(true);
  leg.catalog.setLoaded(false);
  const withoutCatalog = await ask();
  leg.catalog.setLoaded(true);

  for (const answer of [withoutGroups, withoutCatalog]) {
    assert.is(answer.status, 503);
    assert.is(answer.body.code, 'database_unavailable');
    assert.ok(answer.headers.get('retry-after'));
  }
  assert.is((await ask()).status, 200);
});

test('a query parameter that is given twice is refused rather than guessed at', () => {
  const request = { query: { group: ['a', 'b'], tail: '5' } };

  assert.is(queryParam(request, 'tail'), '5');
  assert.is(queryParam(request, 'absent'), undefined);
  assert.throws(() => queryParam(request, 'group'), /`group` may be given once/);
});

onBothLegs(test, 'health, readiness and metrics answer', async ({ fetch }) => {
  const health = await read(await fetch('/healthz'));
  const ready = await read(await fetch('/readyz'));
  const metrics = await fetch('/metrics');

  assert.equal(health.body, { status: 'ok' });
  assert.equal(ready.body, { status: 'ready' });
  assert.match(metrics.headers.get('content-type') ?? '', 'text/plain; version=0.0.4');
  assert.is(metrics.status, 200);
});

test.run();
