import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCancellation } from '../../../lib/async/cancellation.ts';
import { Failure } from '../../../lib/failure.ts';
import { createActiveCalls, shareCancellations } from '../../../lib/mcp/calls.ts';
import { createLinkedBuses } from '../../support/linked-buses.ts';
import {
  type Answer,
  both,
  endpoint,
  openReader,
  openSession,
  post,
  request,
} from '../../support/mcp-exchange.ts';
import { type Leg, onBothLegs } from '../../support/two-legs.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('cancellation');
type Session = Awaited<ReturnType<typeof openSession>>;

/** A call whose server never answers, under way. @param id raw JSON text */
async function startCall(leg: Leg, session: Session, id: string): Promise<{ answer: Promise<Answer> }> {
  const before = leg.upstreams.calls.length;
  leg.upstreams.answerWith(() => new Promise(() => {}));
  const text = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"demo__echo"}}`;
  const answer = post(leg.fetch, text, session);
  await waitUntil('the call is under way', () => leg.upstreams.calls.length > before, { everyMs: 1 });
  return { answer };
}

function cancel(leg: Leg, session: Session, requestId: string): Promise<Answer> {
  const params = `{"requestId":${requestId},"reason":"enough"}`;
  const text = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`;
  return post(leg.fetch, text, session);
}

function isCancelled(leg: Leg, call: number): boolean | undefined {
  return leg.upstreams.calls[call]?.signal.aborted;
}

onBothLegs(test, 'rule 42: a cancelled call ends at once, with 202 and no body', async (leg) => {
  const session = await openSession(leg.fetch);
  const { answer } = await startCall(leg, session, '1');

  const told = await cancel(leg, session, '1');
  const { status, text } = await answer;

  assert.equal([told.status, status, text], [202, 202, '']);
  assert.is(isCancelled(leg, 0), true);
  assert.is(leg.calls.count(), 0);
});

onBothLegs(test, 'rule 42: a cancelled call’s stream ends without a response', async (leg) => {
  const session = await openSession(leg.fetch);
  leg.upstreams.answerWith((call) => {
    call.progress({ progress: 1 });
    return new Promise(() => {});
  });
  const params = '{"name":"demo__echo","_meta":{"progressToken":"t"}}';
  const response = await leg.fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...session, ...both },
    body: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`,
  });
  const reader = openReader(response);
  const first = await reader.next();

  await cancel(leg, session, '7');

  assert.match(first, 'notifications/progress');
  assert.is(await reader.next(), 'closed');
});

onBothLegs(test, 'calls that we end ourselves are answered, and none begins afterwards', async (leg) => {
  const session = await openSession(leg.fetch);
  const { answer } = await startCall(leg, session, '1');
  const failure = new Failure('upstream_unavailable', 'Over.');

  leg.calls.refuse(failure);
  leg.calls.endAll(failure);
  const late = await post(leg.fetch, request(2, 'tools/call', { name: 'demo__echo' }), session);

  const { status, body } = await answer;
  const result = { content: [{ type: 'text', text: 'Over.' }], isError: true };
  assert.equal([status, body], [200, { jsonrpc: '2.0', id: 1, result }]);
  assert.is(isCancelled(leg, 0), true);
  assert.equal(late.body, { jsonrpc: '2.0', id: 2, result });
  const prompt = await post(leg.fetch, request(3, 'prompts/get', { name: 'demo__x' }), session);
  const error = { code: -32603, message: 'Over.', data: { code: 'upstream_unavailable' } };
  assert.equal(prompt.body, { jsonrpc: '2.0', id: 3, error });
  assert.equal([leg.calls.count(), leg.upstreams.calls.length], [0, 1]);
});

onBothLegs(test, 'rule 42: an unknown id is ignored', async (leg) => {
  const session = await openSession(leg.fetch);
  const { answer } = await startCall(leg, session, '1');

  for (const id of ['2', '"1"', 'null', '{}', '1.0000001']) {
    assert.is((await cancel(leg, session, id)).status, 202);
  }
  const withoutParams = await post(leg.fetch, { jsonrpc: '2.0', method: 'notifications/cancelled' }, session);

  assert.is(withoutParams.status, 202);
  assert.is(isCancelled(leg, 0), false);
  await cancel(leg, session, '1');
  await answer;
});

onBothLegs(test, 'rule 42: ids belong to their session', async (leg) => {
  const one = await openSession(leg.fetch);
  const two = await openSession(leg.fetch);
  const ofOne = await startCall(leg, one, '1');
  const ofTwo = await startCall(leg, two, '1');

  await cancel(leg, two, '1');
  await ofTwo.answer;

  assert.equal([isCancelled(leg, 0), isCancelled(leg, 1)], [false, true]);
  await cancel(leg, one, '1');
  await ofOne.answer;
});

onBothLegs(test, 'rule 42: an id is the same however it is spelled', async (leg) => {
  const session = await openSession(leg.fetch);
  const spellings: [string, string][] = [
    ['"caf\\u00e9"', '"café"'],
    ['"a\\/b"', '"a/b"'],
    ['1', '1.0'],
    ['12345678901234567890', '12345678901234567890'],
  ];

  for (const [asCalled, asCancelled] of spellings) {
    const { answer } = await startCall(leg, session, asCalled);
    await cancel(leg, session, asCancelled);

    assert.is((await answer).status, 202, asCalled);
  }
});

onBothLegs(test, 'rule 42: ids beyond 2^53 that differ in the last digit are two ids', async (leg) => {
  const session = await openSession(leg.fetch);
  const { answer } = await startCall(leg, session, '12345678901234567890');

  await cancel(leg, session, '12345678901234567891');
  assert.is(isCancelled(leg, 0), false);
  await cancel(leg, session, '12345678901234567890');

  assert.is((await answer).status, 202);
});

onBothLegs(test, 'rule 42: what the server answers to a cancelled call is dropped', async (leg) => {
  const session = await openSession(leg.fetch);
  let finish = () => {};
  const { answer } = await startCall(leg, session, '1');
  leg.upstreams.answerWith(
    () =>
      new Promise((resolve) => {
        finish = () => resolve({ result: '{"content":[]}' });
      }),
  );
  const text = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"demo__echo"}}';
  const late = post(leg.fetch, text, session);
  await waitUntil('the call is under way', () => leg.upstreams.calls.length === 2, { everyMs: 1 });

  await cancel(leg, session, '2');
  finish();

  assert.equal([(await late).status, (await late).text], [202, '']);
  await cancel(leg, session, '1');
  await answer;
});

test('a session has as many places as its limit, and gets them back', () => {
  const calls = createActiveCalls(2);
  const first = calls.begin('s', '1');
  calls.begin('s', '1');

  assert.throws(
    () => calls.begin('s', '2'),
    (error: { code?: string }) => error.code === 'too_many_requests',
  );
  calls.begin('other', '1');
  first.end();
  first.end();

  calls.begin('s', '2');
  assert.is(calls.count(), 3);
});

test('calls that share an id are all found, whichever ends first', () => {
  const calls = createActiveCalls(10);
  const one = calls.begin('s', '1');
  const two = calls.begin('s', '1');
  two.end();
  const three = calls.begin('s', '1');

  one.end();
  calls.cancel('s', '1');

  assert.equal([one.signal.aborted, two.signal.aborted, three.signal.aborted], [false, false, true]);
});

test('rule 42: a cancellation that reaches another process cancels the call', async () => {
  const [here, there] = createLinkedBuses();
  const calls = shareCancellations(createActiveCalls(10), here);
  const others = shareCancellations(createActiveCalls(10), there);
  const asked = calls.begin('s', '"an id: 1 2"');
  const same = calls.begin('other', '"an id: 1 2"');

  assert.is(others.cancel('s', '"an id: 1 2"'), false);

  await waitUntil('it is cancelled', () => asked.signal.aborted, { everyMs: 1 });
  assert.is(same.signal.aborted, false);
});

test('rule 42: a cancellation that is found here, or has an absurd id, is no news', () => {
  const [here] = createLinkedBuses();
  const busMessages: string[] = [];
  here.subscribe(({ type }) => busMessages.push(type));
  const calls = shareCancellations(createActiveCalls(10), here);
  calls.begin('s', '1');

  calls.cancel('s', '1');
  calls.cancel('s', `"${'x'.repeat(300)}"`);

  assert.equal(busMessages, []);
});

test('the end of a session cancels its calls and no others', () => {
  const calls = createActiveCalls(10);
  const own = calls.begin('s', '1');
  const other = calls.begin('t', '1');

  calls.cancelSession('s');

  assert.equal([own.signal.aborted, other.signal.aborted], [true, false]);
});

test('a cancellation tells each listener once, and none that has left', () => {
  const { signal, abort } = createCancellation();
  const heard: string[] = [];
  const leaver = () => heard.push('leaver');
  signal.addEventListener('abort', () => heard.push('stayer'));
  signal.addEventListener('abort', leaver);
  signal.removeEventListener('abort', leaver);

  const before = [signal.aborted, signal.reason];
  abort();
  abort();

  assert.equal(before, [false, undefined]);
  assert.equal(heard, ['stayer']);
  assert.is(signal.aborted, true);
  assert.instance(signal.reason, Error);
});

test.run();
