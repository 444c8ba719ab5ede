import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isServerName } from '../../../../lib/names/names.ts';
import { openSession, post, request } from '../../../support/mcp-exchange.ts';
import { onBothLegs } from '../../../support/two-legs.ts';

const test = suite('rules of names');

test('rule 35: a server’s name has no `__`, and no `_` at its edges', () => {
  for (const name of ['a__b', '_a', 'a_', '__', 'a___b']) assert.not.ok(isServerName(name), name);
  for (const name of ['a', 'a_b', 'a-b.c', 'A1']) assert.ok(isServerName(name), name);
});

test('rule 34: a server’s name leaves room for the tool’s within what clients take', () => {
  assert.ok(isServerName('s'.repeat(30)));
  assert.not.ok(isServerName('s'.repeat(31)));
});

onBothLegs(
  test,
  'rule 35: a tool whose own name has `__` in it is found by the table, not by cutting',
  async (leg) => {
    const session = await openSession(leg.fetch);

    for (const name of ['demo__a__b', 'demo____x', 'demo__demo__echo']) {
      await post(leg.fetch, request(1, 'tools/call', { name }), session);
    }

    assert.equal(
      leg.upstreams.calls.map(({ server, params }) => [server, JSON.parse(params).name]),
      [
        ['demo', 'a__b'],
        ['demo', '__x'],
        ['demo', 'demo__echo'],
      ],
    );
  },
  {
    servers: { demo: ['a__b', '__x', 'demo__echo'] },
    groups: { 'svc-global': ['demo__a__b', 'demo____x', 'demo__demo__echo'] },
  },
);

onBothLegs(test, 'rule 36: a bare name, a prefix alone and another case are no tools', async (leg) => {
  const session = await openSession(leg.fetch);

  for (const name of ['echo', 'demo__', '__echo', 'demo_echo', 'DEMO__echo', 'demo__Echo', ' demo__echo']) {
    const { status, body } = await post(leg.fetch, request(1, 'tools/call', { name }), session);

    assert.equal([status, body.error?.code], [200, -32602], name);
  }
  assert.equal(leg.upstreams.calls, []);
});

test.run();
