import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NotSent } from '../../../lib/upstreams/upstream-failures.ts';
import type { ClientChannel } from '../../../lib/upstreams/upstreams.ts';
import { failureOf } from '../../support/upstream-fixture.ts';
import { createMultiplexerFixture as setUp } from './multiplexer-fixture.ts';

const test = suite('multiplexer');

test('answers find their calls in whatever order they come', async () => {
  const { request, answer, stop } = setUp();
  const [first, second] = [request(), request()];

  answer(2, '"second"');
  answer(1, '"first"');

  assert.equal(await Promise.all([first, second]), [{ result: '"first"' }, { result: '"second"' }]);
  await stop();
});

test('the id of a request is the progress token that its params are made with', async () => {
  const { multiplexer, sent, stop } = setUp();
  const signal = new AbortController().signal;

  const call = failureOf(
    multiplexer.request({
      sessionId: 'one',
      method: 'tools/call',
      params: (token) => `{"token":${token}}`,
      signal,
    }),
  );

  assert.equal(sent, [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { token: 1 } }]);
  await stop();
  await call;
});

test('progress goes to the call of its token alone, and to nobody after its answer', async () => {
  const { multiplexer, server, answer, stop } = setUp();
  const seen: string[] = [];
  const signal = new AbortController().signal;
  const call = multiplexer.request({
    sessionId: 'one',
    method: 'tools/call',
    params: () => '{}',
    signal,
    onProgress: (message) => seen.push(message),
  });
  const progress = (token: unknown) =>
    `{"method":"notifications/progress","params":{"progressToken":${token},"progress":12345678901234567890}}`;

  for (const token of [2, '"1"', 1]) server().onMessage(progress(token));
  answer(1);
  await call;
  server().onMessage(progress(1));

  assert.equal(seen, [progress(1).replace('{', '{"jsonrpc":"2.0",')]);
  await stop();
});

test('of a notification nothing but its params goes on, as a client may take other members for an answer to it', async () => {
  const heard: string[] = [];
  const { multiplexer, server, stop } = setUp({}, ({ text }) => void heard.push(text));
  const signal = new AbortController().signal;
  const clientChannel: ClientChannel = {
    ...{ canAnswer: true, logLevel: undefined, hangUp() {}, ask: async () => ({ result: '{}' }) },
    notify: (message) => void heard.push(message),
  };
  const onProgress = (message: string) => void heard.push(message);
  const request = {
    sessionId: 'one',
    method: 'tools/call',
    params: () => '{}',
    signal,
    clientChannel,
    onProgress,
  };
  multiplexer.request(request).catch(() => {});
  const forged = '"ID":7,"id":null,"result":{"content":[]},"error":{},"method":"ping"';
  const say = (method: string, params: string) =>
    server().onMessage(`{${forged},"params":{},"params":${params},"method":"notifications/${method}"}`);

  say('progress', '{"progressToken":1,"progress": 12345678901234567890}');
  say('message', '{"data":"x"}');
  say('message', '[]');

  assert.equal(heard, [
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress": 12345678901234567890}}',
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x","logger":"files"}}',
    '{"jsonrpc":"2.0","method":"notifications/message","params":[]}',
  ]);
  await stop();
});

test('a call that waits for its turn and is cancelled is never sent, and holds up nobody', async () => {
  const { request, answer, sent, stop } = setUp({ calls: 1 });
  const controller = new AbortController();
  const first = request();
  const second = failureOf(request(controller.signal));
  const third = request();

  controller.abort(new Error('cancelled'));
  answer(1);
  assert.is((await second).message, 'cancelled');
  answer(3);
  await Promise.all([first, third]);

  assert.equal(
    sent.map(({ id }) => id),
    [1, 3],
  );
  await stop();
});

test('when the transport closes, what was sent fails and what was not may be sent again', async () => {
  const { request, server, ends, isClosed } = setUp({ calls: 1 });
  const outcomes = Promise.all([failureOf(request()), failureOf(request())]);

  server().onClose('its process ended with code 1');

  const [sent, queued] = await outcomes;
  assert.is(sent.message, 'The server "files" is unavailable: its process ended with code 1.');
  assert.not.instance(sent, NotSent);
  assert.instance(queued, NotSent);
  assert.equal(ends, ['its process ended with code 1']);
  assert.ok(isClosed());
});

test('a lost session lets calls under way finish, and closes after the last', async () => {
  const { request, server, answer, ends, isClosed } = setUp();
  const call = request();
  const refused = failureOf(request());

  server().onSendFailed(2, { reason: 'its session ended', neverSent: true });
  server().onLost('its session ended');

  assert.instance(await refused, NotSent);
  assert.instance(await failureOf(request()), NotSent);
  assert.equal(ends, ['its session ended']);
  assert.not(isClosed());
  answer(1, '"late but fine"');
  assert.equal(await call, { result: '"late but fine"' });
  assert.ok(isClosed());
});

test('draining finishes what waits for its turn as well', async () => {
  const { multiplexer, request, answer, ends, isClosed } = setUp({ calls: 1 });
  const calls = Promise.all([request(), request()]);

  const drained = multiplexer.drain('discard');
  answer(1);
  assert.not(isClosed());
  answer(2);

  await Promise.all([calls, drained]);
  assert.ok(isClosed());
  assert.equal(ends, []);
});

test('params that cannot be made fail their call only', async () => {
  const { multiplexer, request, answer, stop } = setUp({ calls: 1 });
  const signal = new AbortController().signal;
  const broken = multiplexer.request({
    sessionId: 'one',
    method: 'tools/call',
    params() {
      throw new Error('no params');
    },
    signal,
  });

  assert.is((await failureOf(broken)).message, 'no params');
  const next = request();
  answer(2);
  assert.equal(await next, { result: '{}' });
  await stop();
});

test('messages after the end are dropped', async () => {
  const { request, server, answer } = setUp();
  const call = failureOf(request());
  server().onClose('gone');

  answer(1);
  server().onClose('gone twice');

  assert.match((await call).message, 'gone.');
});

test('of what is too much an answer fails its call, a request is refused, and a notification is dropped', async () => {
  const { request, server, sent, answer, stop } = setUp();
  const beyond = {
    text: '',
    excess: 'depth',
    params: undefined,
    result: undefined,
    error: undefined,
  } as const;
  const judged = { ...beyond, isError: false, elements: 1 };
  const [deep, other] = [failureOf(request()), request()];

  server().onMessage({ ...judged, id: '1', method: undefined });
  server().onMessage({ ...judged, id: '"q"', method: '"sampling/createMessage"' });
  server().onMessage({ ...judged, id: undefined, method: '"notifications/message"' });
  answer(2);

  assert.is(
    (await deep).message,
    'The answer of the server "files" was refused: it nests deeper than 128 levels.',
  );
  assert.equal(await other, { result: '{}' });
  const message = 'The message was refused: it nests deeper than 128 levels.';
  assert.equal(sent.slice(2), [{ jsonrpc: '2.0', id: 'q', error: { code: -32600, message } }]);
  await stop();
});

test.run();
