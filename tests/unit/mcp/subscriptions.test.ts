import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { endpoint, openReader, openSession, post, request } from '../../support/mcp-exchange.ts';
import { type Leg, onBothLegs } from '../../support/two-legs.ts';

const test = suite('subscriptions');

const options = {
  servers: { one: ['a'], two: ['b'], still: ['c'] },
  groups: { 'svc-global': ['one__a', 'two__b', 'still__c'] },
  features: {
    one: { resources: ['x://1'] },
    two: { resources: ['x://1', 'two://dir'] },
    still: { resources: ['still://1'], capabilities: { resources: {} } },
  },
};

async function open(leg: Leg) {
  const session = await openSession(leg.fetch, '2025-11-25');
  const ask = async (method: string, uri: unknown) =>
    (await post(leg.fetch, request(1, `resources/${method}`, { uri }), session)).body;
  return { session, ask };
}

async function listen(leg: Leg, session: Record<string, string>) {
  const leaving = new AbortController();
  const headers = { ...session, Accept: 'text/event-stream' };
  const reader = openReader(await leg.fetch(endpoint, { headers, signal: leaving.signal }));
  return {
    leave: () => leaving.abort(),
    async next(): Promise<unknown> {
      for (;;) {
        const data = /^data: (\{.*)$/m.exec(await reader.next())?.[1];
        if (data !== undefined) return JSON.parse(data).params;
      }
    },
  };
}

/** Lists that changed are told on the same stream. */
async function nextUpdate(next: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    const params = await next();
    if (params !== undefined) return params;
  }
}

function update(leg: Leg, server: string, uri: string, onlyTo?: string): void {
  const method = 'notifications/resources/updated';
  const text = JSON.stringify({ jsonrpc: '2.0', method, params: { uri, more: 1 } });
  leg.notificationFeed.publish(server, { method, text }, onlyTo);
}

onBothLegs(
  test,
  'rule 48: who subscribed hears of an update under the URI it knows, with all that the server said',
  async (leg) => {
    const { session, ask } = await open(leg);
    const { next, leave } = await listen(leg, session);

    await ask('subscribe', 'two+x://1');
    update(leg, 'one', 'x://1');
    update(leg, 'two', 'x://1');

    assert.equal(await next(), { uri: 'two+x://1', more: 1 });
    assert.equal(
      leg.upstreams.calls.map(({ server, params }) => `${server} ${params}`),
      ['two {"uri":"x://1"}'],
    );
    leave();
  },
  options,
);

onBothLegs(
  test,
  'rule 48: a part of the subscribed resource counts, others and former subscriptions do not',
  async (leg) => {
    const { session, ask } = await open(leg);
    const { next, leave } = await listen(leg, session);
    await ask('subscribe', 'two://dir');
    await ask('subscribe', 'x://1');
    await ask('unsubscribe', 'x://1');

    update(leg, 'one', 'x://1');
    update(leg, 'two', 'two://directory');
    update(leg, 'two', 'two://dir/file');

    assert.equal(await next(), { uri: 'two://dir/file', more: 1 });
    leave();
  },
  options,
);

onBothLegs(
  test,
  'what a session’s own connection says goes to that session alone',
  async (leg) => {
    const first = await open(leg);
    const second = await open(leg);
    const streams = [await listen(leg, first.session), await listen(leg, second.session)];
    await first.ask('subscribe', 'x://1');
    await second.ask('subscribe', 'x://1');
    await second.ask('subscribe', 'two://dir');

    update(leg, 'one', 'x://1', first.session['Mcp-Session-Id']);
    update(leg, 'two', 'two://dir');

    assert.equal(await streams[0]?.next(), { uri: 'x://1', more: 1 });
    assert.equal(await streams[1]?.next(), { uri: 'two://dir', more: 1 });
    for (const { leave } of streams) leave();
  },
  options,
);

onBothLegs(
  test,
  'rule 48: a server that has left the group tells its sessions nothing more',
  async (leg) => {
    const { session, ask } = await open(leg);
    const { next, leave } = await listen(leg, session);
    await ask('subscribe', 'x://1');
    await ask('subscribe', 'two://dir');

    leg.groups.write('svc-global', ['two__b']);
    update(leg, 'one', 'x://1');
    update(leg, 'two', 'two://dir');

    assert.equal(await nextUpdate(next), { uri: 'two://dir', more: 1 });
    leave();
  },
  options,
);

onBothLegs(
  test,
  'a server’s refusal passes, and nothing is subscribed then',
  async (leg) => {
    leg.upstreams.answerWith(({ params }) =>
      params.includes('x://1') ? { error: '{"code":-32002,"message":"gone"}' } : { result: '{}' },
    );
    const { session, ask } = await open(leg);
    const { next, leave } = await listen(leg, session);

    assert.is((await ask('subscribe', 'x://1')).error.message, 'gone');
    await ask('subscribe', 'two://dir');
    update(leg, 'one', 'x://1');
    update(leg, 'two', 'two://dir');

    assert.equal(await next(), { uri: 'two://dir', more: 1 });
    leave();
  },
  options,
);

onBothLegs(
  test,
  'a server without subscriptions is not asked, nor for URIs that cannot be kept',
  async (leg) => {
    leg.features.setFeatures('two', { templates: ['two://{+path}'] });
    const { ask } = await open(leg);

    const errors = [
      await ask('subscribe', 'still://1'),
      await ask('subscribe', 'two://a\u0000b'),
      await ask('subscribe', `two://${'ü'.repeat(1_100)}`),
      await ask('unsubscribe', 'nobody://1'),
    ].map(({ error }) => error.code);

    assert.equal(errors, [-32601, -32602, -32602, -32002]);
    assert.is(leg.upstreams.calls.length, 0);
  },
  options,
);

test.run();
