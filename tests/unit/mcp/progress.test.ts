import { mock } from 'node:test';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerAsJsonOrStream } from '../../../lib/mcp/content-negotiation.ts';
import { createBoundedStream, maxQueuedBytes } from '../../../lib/streams/bounded-stream.ts';
import { both, openReader, openSession, post, request } from '../../support/mcp-exchange.ts';
import type { RelayedCall } from '../../support/scripted-upstreams.ts';
import { someOpening } from '../../support/stream-parts.ts';
import { type Leg, onBothLegs } from '../../support/two-legs.ts';

const test = suite('progress');
const done = { result: '{"content":[]}' };

function callWithToken(leg: Leg, session: Record<string, string>, progressToken: unknown, id = 1) {
  const params = { name: 'demo__echo', _meta: { progressToken } };
  return post(leg.fetch, request(id, 'tools/call', params), { ...session, ...both });
}

onBothLegs(
  test,
  'rule 41: progress comes in order, before the result, under the client’s token',
  async (leg) => {
    const session = await openSession(leg.fetch);
    leg.upstreams.answerWith(async (call) => {
      for (let step = 1; step <= 5; step++) {
        call.progress({ progress: step, total: 5, message: `step ${step}` });
        if (step === 3) await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return done;
    });

    const { headers, body } = await callWithToken(leg, session, 'mine');

    assert.is(headers.get('content-type'), 'text/event-stream');
    assert.equal(
      body.slice(0, 5).map(({ params }: { params: unknown }) => params),
      [1, 2, 3, 4, 5].map((step) => ({
        progressToken: 'mine',
        progress: step,
        total: 5,
        message: `step ${step}`,
      })),
    );
    assert.equal(body[5], { jsonrpc: '2.0', id: 1, result: { content: [] } });
    assert.is(body.length, 6);
  },
);

onBothLegs(test, 'rule 41: the server sees a token of ours, and the rest of _meta', async (leg) => {
  const session = await openSession(leg.fetch);
  const params = '{"name":"demo__echo","_meta":{"progressToken":1,"x":1.0}}';

  await post(leg.fetch, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`, session);

  const [call] = leg.upstreams.calls;
  assert.is(call?.params, `{"name":"echo","_meta":{"progressToken":${call?.token},"x":1.0}}`);
});

onBothLegs(test, 'rule 41: two clients with the same token each get their own progress', async (leg) => {
  const one = await openSession(leg.fetch);
  const two = await openSession(leg.fetch);
  const waiting: RelayedCall[] = [];
  leg.upstreams.answerWith(async (call) => {
    waiting.push(call);
    while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    call.progress({ progress: call.token });
    return done;
  });

  const answers = await Promise.all([callWithToken(leg, one, 1), callWithToken(leg, two, 1)]);

  for (const [index, session] of [one, two].entries()) {
    const own = waiting.find(({ sessionId }) => sessionId === session['Mcp-Session-Id']);
    assert.equal(answers[index]?.body[0].params, { progressToken: 1, progress: own?.token });
  }
});

onBothLegs(test, 'rule 41: progress reaches only the stream of its own call', async (leg) => {
  const session = await openSession(leg.fetch);
  leg.upstreams.answerWith(async (call) => {
    call.progress({ progress: call.token });
    await new Promise((resolve) => setTimeout(resolve, 2));
    return done;
  });

  const [one, two] = await Promise.all([
    callWithToken(leg, session, 'a', 1),
    callWithToken(leg, session, 'b', 2),
  ]);

  assert.equal(
    [one, two].map(({ body }) => [body.length, body[0].params.progressToken, body[1].id]),
    [
      [2, 'a', 1],
      [2, 'b', 2],
    ],
  );
});

onBothLegs(test, 'rule 41: tokens are strings or integers of any size', async (leg) => {
  const session = await openSession(leg.fetch);
  leg.upstreams.answerWith((call) => {
    call.progress({ progress: 1 });
    return done;
  });
  const call = (token: string) =>
    post(
      leg.fetch,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo__echo","_meta":{"progressToken":${token}}}}`,
      { ...session, ...both },
    );

  for (const token of ['0', '-5', '12345678901234567890', '""', '"\\u00e9"']) {
    const { text } = await call(token);

    assert.ok(text.includes(`"progressToken":${token === '"\\u00e9"' ? '"é"' : token},`), text);
  }
  for (const token of ['1.5', 'null', 'true', '{}', '["a"]']) {
    const { status, body } = await call(token);

    assert.equal([status, body.error?.code], [200, -32602], token);
  }
});

onBothLegs(test, 'rule 26: a stream ends after the answer', async (leg) => {
  const session = await openSession(leg.fetch);
  leg.upstreams.answerWith((call) => {
    call.progress({ progress: 1 });
    return done;
  });

  const response = await leg.fetch('/v0/groups/svc-global/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...session, ...both },
    body: JSON.stringify(request(1, 'tools/call', { name: 'demo__echo', _meta: { progressToken: 1 } })),
  });
  const reader = openReader(response);

  assert.match(await reader.next(), /^event: message\ndata: .*notifications\/progress/);
  assert.match(await reader.next(), /^event: message\ndata: .*"result"/);
  assert.is(await reader.next(), 'closed');
});

onBothLegs(test, 'rule 41: progress that comes after the answer is dropped', async (leg) => {
  const session = await openSession(leg.fetch);
  leg.upstreams.answerWith((call) => {
    setTimeout(() => call.progress({ progress: 9 }), 1);
    return done;
  });

  const { headers, body } = await callWithToken(leg, session, 1);
  await new Promise((resolve) => setTimeout(resolve, 5));

  assert.is(headers.get('content-type'), 'application/json');
  assert.equal(body.result, { content: [] });
});

onBothLegs(test, 'a call without a token asks for no progress', async (leg) => {
  const session = await openSession(leg.fetch);

  const params = { name: 'demo__echo', _meta: { other: 1 } };
  await post(leg.fetch, request(1, 'tools/call', params), { ...session, ...both });

  assert.is(leg.upstreams.calls[0]?.wantsProgress, false);
  assert.is(leg.upstreams.calls[0]?.params, '{"name":"echo","_meta":{"other":1}}');
});

onBothLegs(test, 'rule 27: a client that hangs up has not cancelled', async (leg) => {
  const session = await openSession(leg.fetch);
  const leaving = new AbortController();
  let finish = () => {};
  leg.upstreams.answerWith((call) => {
    call.progress({ progress: 1 });
    return new Promise((resolve) => {
      finish = () => resolve(done);
    });
  });
  const params = { name: 'demo__echo', _meta: { progressToken: 1 } };
  const response = await leg.fetch('/v0/groups/svc-global/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...session, ...both },
    body: JSON.stringify(request(1, 'tools/call', params)),
    signal: leaving.signal,
  });
  await openReader(response).next();

  leaving.abort();
  await new Promise((resolve) => setTimeout(resolve, 20));

  assert.is(leg.upstreams.calls[0]?.signal.aborted, false);
  assert.is(leg.calls.count(), 1);
  leg.upstreams.calls[0]?.progress({ progress: 2 });
  finish();
  await new Promise((resolve) => setTimeout(resolve, 1));
  assert.is(leg.calls.count(), 0);
  assert.equal(leg.counted, ['demo echo ok']);
});

onBothLegs(test, 'rule 31: event streams are neither cached, changed nor buffered', async (leg) => {
  const session = await openSession(leg.fetch);
  leg.upstreams.answerWith((call) => {
    call.progress({ progress: 1 });
    return done;
  });

  const { headers } = await callWithToken(leg, session, 1);

  assert.is(headers.get('cache-control'), 'no-cache, no-transform');
  assert.is(headers.get('x-accel-buffering'), 'no');
});

test('rule 31: a call’s stream that is silent says every 15 s that it is alive', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  try {
    let finish = () => {};
    const response = await answerAsJsonOrStream(
      { eventStream: true, prefersStream: false },
      someOpening(),
      ({ emit }) => {
        emit('{"first":1}');
        return new Promise((resolve) => {
          finish = () => resolve({ text: '{"last":1}', status: 200 });
        });
      },
    );
    const reader = openReader(response);
    await reader.next();

    mock.timers.tick(15_000);
    const comment = await reader.next();
    finish();

    assert.is(comment, ': keep-alive');
    assert.match(await reader.next(), '{"last":1}');
    assert.is(await reader.next(), 'closed');
  } finally {
    mock.timers.reset();
  }
});

test('a defect after the first message ends the stream', async () => {
  const response = await answerAsJsonOrStream(
    { eventStream: true, prefersStream: false },
    someOpening(),
    async ({ emit }) => {
      emit('{"first":1}');
      throw new Error('a defect');
    },
  );
  const reader = openReader(response);

  assert.match(await reader.next(), '{"first":1}');
  assert.is(await reader.next(), 'closed');
});

test('line breaks between the tokens of a message do not break its event', async () => {
  const response = await answerAsJsonOrStream(
    { eventStream: true, prefersStream: true },
    someOpening(),
    async () => {
      return { text: '{\r\n"a":\n"b\\n"}', status: 200 };
    },
  );

  assert.is(await response.text(), 'event: message\ndata: {  "a": "b\\n"}\n\n');
});

test('a reader that does not keep up is cut off, and holds no more than the bound', async () => {
  let closes = 0;
  const stream = createBoundedStream({ onClose: () => closes++ });
  const chunk = new Uint8Array(maxQueuedBytes / 4);

  const taken = Array.from({ length: 6 }, () => stream.write(chunk));
  const { done: isOver } = await stream.body.getReader().read();

  assert.equal(taken, [true, true, true, true, false, false]);
  assert.is(isOver, true);
  assert.is(closes, 1);
});

test('a single message larger than the bound is delivered', async () => {
  const stream = createBoundedStream();
  const reader = stream.body.getReader();

  assert.is(stream.write(new Uint8Array(maxQueuedBytes + 1)), true);
  stream.close();

  assert.is((await reader.read()).value?.byteLength, maxQueuedBytes + 1);
  assert.is((await reader.read()).done, true);
});

test('a reader that leaves closes the stream once, quietly', async () => {
  let closes = 0;
  const stream = createBoundedStream({ onClose: () => closes++ });
  const reader = stream.body.getReader();
  const reading = reader.read();

  await reader.cancel();

  assert.is((await reading).done, true);
  assert.is(stream.write(new Uint8Array(1)), false);
  stream.close();
  assert.is(closes, 1);
});

test.run();
