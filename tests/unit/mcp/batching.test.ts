import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { databaseUnavailable } from '../../../lib/failure.ts';
import {
  both,
  initializeMessage,
  notification,
  openSession,
  post,
  request,
} from '../../support/mcp-exchange.ts';
import { onBothLegs } from '../../support/two-legs.ts';

const test = suite('batching');
const withBatches = '2025-03-26';

onBothLegs(test, 'rule 2: in 2025-03-26 an array gets an array with one answer each', async ({ fetch }) => {
  const session = await openSession(fetch, withBatches);

  const answer = await post(fetch, [request(1, 'ping'), request('b', 'tools/list')], session);

  assert.is(answer.status, 200);
  assert.is(answer.headers.get('content-type'), 'application/json');
  assert.equal(
    answer.body.map(({ id }: { id: unknown }) => id),
    [1, 'b'],
  );
  assert.is(answer.body[1].result.tools.length, 2);
});

onBothLegs(test, 'rule 3: later revisions have no arrays: 400 and -32600', async ({ fetch }) => {
  for (const version of ['2024-11-05', '2025-06-18', '2025-11-25']) {
    const session = await openSession(fetch, version);

    const answer = await post(fetch, [request(1, 'ping')], session);

    assert.is(answer.status, 400, version);
    assert.equal([answer.body.id, answer.body.error.code], [null, -32600]);
  }
});

onBothLegs(test, 'rule 4: initialize must not be in a batch', async ({ fetch, sessions }) => {
  const answer = await post(fetch, [initializeMessage()]);

  assert.is(answer.status, 400);
  assert.is(answer.body.error.code, -32600);
  assert.is(sessions.size(), 0);
});

onBothLegs(test, 'rule 5: a batch of notifications and answers is 202', async ({ fetch }) => {
  const session = await openSession(fetch, withBatches);
  const messages = [notification('notifications/initialized'), { jsonrpc: '2.0', id: 1, result: {} }];

  const answer = await post(fetch, messages, session);

  assert.is(answer.status, 202);
  assert.is(answer.text, '');
});

onBothLegs(test, 'rule 5: notifications among requests get no answer', async ({ fetch }) => {
  const session = await openSession(fetch, withBatches);
  const messages = [notification('notifications/x'), request(1, 'ping'), notification('notifications/y')];

  const answer = await post(fetch, messages, session);

  assert.equal(answer.body, [{ jsonrpc: '2.0', id: 1, result: {} }]);
});

onBothLegs(test, 'rule 5: an empty array is -32600', async ({ fetch }) => {
  const session = await openSession(fetch, withBatches);

  const answer = await post(fetch, '[]', session);

  assert.is(answer.status, 400);
  assert.is(answer.body.error.code, -32600);
});

onBothLegs(test, 'rule 5: 100 messages are answered, 101 are refused', async ({ fetch }) => {
  const session = await openSession(fetch, withBatches);
  const pings = Array.from({ length: 101 }, (_, id) => request(id, 'ping'));

  const most = await post(fetch, pings.slice(1), session);
  const tooMany = await post(fetch, pings, session);

  assert.is(most.body.length, 100);
  assert.is(tooMany.status, 400);
  assert.is(tooMany.body.error.code, -32600);
});

onBothLegs(test, 'a batch needs a session like any message', async ({ fetch }) => {
  const without = await post(fetch, [request(1, 'ping')]);
  const unknown = await post(fetch, [request(1, 'ping')], { 'Mcp-Session-Id': 'unknown' });

  assert.equal([without.status, unknown.status], [400, 404]);
});

onBothLegs(
  test,
  'an item that is no message gets its own error and loses no other answer',
  async ({ fetch }) => {
    const session = await openSession(fetch, withBatches);
    const messages = [request(1, 'ping'), 5, { jsonrpc: '2.0', id: 'bad' }, [], request(2, 'no/such')];

    const { body } = await post(fetch, messages, session);

    assert.equal(
      body.map(({ id, error }: { id: unknown; error?: { code: number } }) => [id, error?.code]),
      [
        [1, undefined],
        [null, -32600],
        ['bad', -32600],
        [null, -32600],
        [2, -32601],
      ],
    );
  },
);

onBothLegs(test, 'an answer that cannot be taken loses no other answer', async ({ fetch, context }) => {
  const session = await openSession(fetch, withBatches);
  context.endpoint.clientRequests.take = () => Promise.reject(databaseUnavailable());
  const answering = { jsonrpc: '2.0', id: 'asked', result: {} };

  const mixed = await post(fetch, [request(1, 'ping'), answering, request(2, 'ping')], session);
  const alone = await post(fetch, [answering], session);

  assert.equal(
    mixed.body.map(({ id, error }: { id: unknown; error?: object }) => [id, error !== undefined]),
    [
      [1, false],
      [null, true],
      [2, false],
    ],
  );
  assert.is(alone.status, 503);
});

onBothLegs(test, 'two requests with one id are both answered', async ({ fetch }) => {
  const session = await openSession(fetch, withBatches);

  const { body } = await post(fetch, [request(1, 'ping'), request(1, 'ping')], session);

  assert.is(body.length, 2);
});

onBothLegs(test, 'each call of a batch relays its own params', async (leg) => {
  const session = await openSession(leg.fetch, withBatches);
  const call = (id: number, tool: string, value: string) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}","arguments":{"v":${value}}}}`;

  const text = `[ ${call(1, 'demo__echo', '1.0')} , ${call(2, 'demo__add', '[2, 3]')} ]`;
  await post(leg.fetch, text, session);

  assert.equal(
    leg.upstreams.calls.map(({ params }) => params),
    ['{"name":"echo","arguments":{"v":1.0}}', '{"name":"add","arguments":{"v":[2, 3]}}'],
  );
});

onBothLegs(test, 'progress of a batch goes before its answers, on the same stream', async (leg) => {
  const session = await openSession(leg.fetch, withBatches);
  leg.upstreams.answerWith((call) => {
    call.progress({ progress: 1 });
    return { result: '{"content":[]}' };
  });
  const withToken = { name: 'demo__echo', _meta: { progressToken: 'mine' } };

  const messages = [request(1, 'tools/call', withToken), request(2, 'ping')];
  const { body } = await post(leg.fetch, messages, { ...session, ...both });

  assert.is(body.length, 2);
  assert.equal(body[0].params, { progressToken: 'mine', progress: 1 });
  assert.equal(
    body[1].map(({ id }: { id: unknown }) => id),
    [1, 2],
  );
});

onBothLegs(test, 'a call cancelled within its own batch gets no answer', async (leg) => {
  const session = await openSession(leg.fetch, withBatches);
  leg.upstreams.answerWith(() => new Promise(() => {}));

  const messages = [
    request(1, 'tools/call', { name: 'demo__echo' }),
    request(2, 'ping'),
    notification('notifications/cancelled', { requestId: 1 }),
  ];
  const { body } = await post(leg.fetch, messages, session);

  assert.equal(body, [{ jsonrpc: '2.0', id: 2, result: {} }]);
});

test.run();
