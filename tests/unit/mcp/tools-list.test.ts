import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSession, post, request } from '../../support/mcp-exchange.ts';
import { type Leg, onBothLegs } from '../../support/two-legs.ts';

const test = suite('tools/list');

/** With everything a client may ever find in a definition, in an order and a spacing of its own. */
const rich =
  '{ "inputSchema": {"type":"object","properties":{"n":{"type":"integer","maximum":12345678901234567890}}},' +
  ' "name":"rich", "title":"Rich","description":"é ✓","outputSchema":{"type":"object"},' +
  '"annotations":{"readOnlyHint":true,"unheardHint":1.0},"icons":[{"src":"data:,"}],' +
  '"execution":{"taskSupport":"optional"},"_meta":{"a/b":null},"x-unknown":[1e3] }';

const wholeServer = ['zebra', 'ant', 'mule', 'bee', 'yak'];

onBothLegs(test, 'rule 33: the list has the group’s known tools, in the group’s order', async (leg) => {
  leg.groups.write('svc-global', ['demo__hidden', 'gone__tool', 'demo__echo']);

  assert.equal(await names(leg), ['demo__hidden', 'demo__echo']);
});

onBothLegs(test, 'rule 33: the order is the same on every call', async (leg) => {
  const session = await openSession(leg.fetch);

  const one = await post(leg.fetch, request(1, 'tools/list'), session);
  const two = await post(leg.fetch, request(1, 'tools/list', {}), session);

  assert.is(one.text, two.text);
});

onBothLegs(test, 'rule 33: a cursor we did not issue is -32602', async ({ fetch }) => {
  const session = await openSession(fetch);

  for (const cursor of ['not-ours', '', 5, null, '../../etc/passwd', 'W10=', {}]) {
    const answer = await post(fetch, request(8, 'tools/list', { cursor }), session);

    assert.is(answer.status, 200);
    assert.equal([answer.body.id, answer.body.error.code], [8, -32602], String(cursor));
  }
});

onBothLegs(
  test,
  'rule 38: a definition is served unchanged but for its name',
  async (leg) => {
    const session = await openSession(leg.fetch);

    const answer = await post(leg.fetch, request(1, 'tools/list'), session);

    const served = rich.replace('"name":"rich"', '"name":"demo__rich"');
    assert.is(answer.text, `{"jsonrpc":"2.0","id":1,"result":{"tools":[${served}]}}`);
  },
  { servers: { demo: [rich] }, groups: { 'svc-global': ['demo__rich'] } },
);

const faulty = {
  servers: { demo: ['{"name":"odd","inputSchema":[1]}', '{"name":"mended","annotations":null}', 'echo'] },
  groups: { 'svc-global': ['demo__odd', 'demo__mended', 'demo__echo'], other: ['demo__echo'] },
};

onBothLegs(
  test,
  'one tool that clients refuse costs agents no other: it is mended, or left out',
  async (leg) => {
    const session = await openSession(leg.fetch);

    const { body } = await post(leg.fetch, request(1, 'tools/list'), session);

    assert.equal(body.result.tools, [
      { inputSchema: { type: 'object' }, name: 'demo__mended' },
      { name: 'demo__echo', inputSchema: { type: 'object' } },
    ]);
  },
  faulty,
);

onBothLegs(
  test,
  'a tool that was left out cannot be called, and its group is told why; others hear what they hear of any name',
  async (leg) => {
    const called = async (path?: string) => {
      const session = await openSession(leg.fetch, '2025-06-18', path);
      const call = request(1, 'tools/call', { name: 'demo__odd' });
      return (await post(leg.fetch, call, session, path)).body.error;
    };

    assert.is(
      (await called()).message,
      'Unknown tool: "demo__odd". The tool "odd" was left out: its inputSchema is a list, not a schema.',
    );
    assert.is((await called('/v0/groups/other/mcp')).message, 'Unknown tool: "demo__odd"');
  },
  faulty,
);

onBothLegs(test, 'an empty group is a working endpoint with an empty list', async ({ fetch }) => {
  const path = '/v0/groups/empty/mcp';
  const session = await openSession(fetch, '2025-06-18', path);

  const answer = await post(fetch, request(1, 'tools/list'), session, path);

  assert.equal(answer.body.result, { tools: [] });
});

onBothLegs(test, 'a group of servers lists their tools, but for the excluded ones', async (leg) => {
  leg.groups.write('svc-global', { included_servers: ['demo'], excluded_tools: ['demo__echo'] });

  assert.equal(await names(leg), ['demo__add', 'demo__hidden']);
});

onBothLegs(test, 'a tool with an exposed name is listed under that name alone', async (leg) => {
  leg.groups.write('svc-global', {
    included_tools: ['demo__echo', 'demo__add'],
    exposed_names: { demo__echo: 'say' },
  });

  assert.equal(await names(leg), ['say', 'demo__add']);
});

onBothLegs(test, 'tools that the server offers anew are listed at once', async (leg) => {
  leg.groups.write('svc-global', { included_servers: ['demo'] });
  const before = await names(leg);
  leg.catalog.setTools('demo', ['later']);

  assert.equal(before, ['demo__echo', 'demo__add', 'demo__hidden']);
  assert.equal(await names(leg), ['demo__later']);
});

onBothLegs(test, 'a server that puts its tools into another order is listed in that one', async (leg) => {
  leg.groups.write('svc-global', { included_servers: ['demo'] });
  const before = await names(leg);
  leg.catalog.setTools('demo', ['hidden', 'echo', 'add']);

  assert.equal(before, ['demo__echo', 'demo__add', 'demo__hidden']);
  assert.equal(await names(leg), ['demo__hidden', 'demo__echo', 'demo__add']);
});

onBothLegs(
  test,
  'rule 33: the pages of a whole server are in its own order, nothing lost or doubled',
  async (leg) => {
    leg.groups.write('svc-global', { included_servers: ['demo'] });
    const session = await openSession(leg.fetch);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = (await post(leg.fetch, request(1, 'tools/list', { cursor }), session)).body;
      seen.push(...namesIn(result));
      cursor = result.nextCursor;
    } while (cursor !== undefined);

    assert.equal(
      seen,
      wholeServer.map((name) => `demo__${name}`),
    );
  },
  { servers: { demo: wholeServer }, toolsPageSize: 2 },
);

onBothLegs(
  test,
  'rule 33: with a page size the pages together are the list',
  async (leg) => {
    leg.groups.write('svc-global', ['demo__hidden', 'demo__echo', 'demo__add']);
    const session = await openSession(leg.fetch);

    const first = (await post(leg.fetch, request(1, 'tools/list'), session)).body.result;
    const cursor = first.nextCursor;
    const second = (await post(leg.fetch, request(2, 'tools/list', { cursor }), session)).body.result;

    assert.equal(namesIn(first), ['demo__hidden', 'demo__echo']);
    assert.equal(namesIn(second), ['demo__add']);
    assert.is(second.nextCursor, undefined);
  },
  { toolsPageSize: 2 },
);

onBothLegs(
  test,
  'rule 33: a last page that is full promises no further one',
  async (leg) => {
    const session = await openSession(leg.fetch);

    const { result } = (await post(leg.fetch, request(1, 'tools/list'), session)).body;

    assert.is(result.tools.length, 2);
    assert.is('nextCursor' in result, false);
  },
  { toolsPageSize: 2 },
);

onBothLegs(
  test,
  'rule 33: an edit between two pages neither repeats nor skips a tool that stays',
  async (leg) => {
    leg.groups.write('svc-global', ['demo__echo', 'demo__add', 'demo__hidden']);
    const session = await openSession(leg.fetch);
    const page = async (cursor?: string) =>
      (await post(leg.fetch, request(1, 'tools/list', { cursor }), session)).body.result;
    const first = await page();

    leg.groups.write('svc-global', ['demo__hidden', 'demo__echo', 'demo__add']);
    const afterMove = await page(first.nextCursor);
    leg.groups.write('svc-global', ['demo__add', 'demo__hidden']);
    const afterRemoval = await page(first.nextCursor);
    leg.groups.write('svc-global', []);
    const afterAll = await page(first.nextCursor);

    assert.equal(namesIn(first), ['demo__echo']);
    assert.equal(namesIn(afterMove), ['demo__add']);
    assert.equal(namesIn(afterRemoval), ['demo__add']);
    assert.equal(afterAll, { tools: [] });
  },
  { toolsPageSize: 1 },
);

onBothLegs(
  test,
  'rule 33: with a page size, too, a foreign cursor is -32602',
  async ({ fetch }) => {
    const session = await openSession(fetch);

    for (const cursor of [
      'zzz',
      '',
      5,
      null,
      btoa('[-1,"a"]'),
      btoa('[0.5,"a"]'),
      btoa('[0,1]'),
      btoa('null'),
    ]) {
      const { body } = await post(fetch, request(1, 'tools/list', { cursor }), session);

      assert.is(body.error?.code, -32602, String(cursor));
    }
  },
  { toolsPageSize: 1 },
);

async function names(leg: Leg): Promise<string[]> {
  const session = await openSession(leg.fetch);
  return namesIn((await post(leg.fetch, request(1, 'tools/list'), session)).body.result);
}

function namesIn(result: { tools: { name: string }[] }): string[] {
  return result.tools.map(({ name }) => name);
}

test.run();
