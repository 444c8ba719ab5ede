import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { untilAnswers } from '../../../lib/containers/transports/mcp-readiness.ts';
import { failureOf } from '../../support/upstream-fixture.ts';

const test = suite('waiting for a server over HTTP');

const url = 'http://127.0.0.1:1/mcp';
type Answer = () => Promise<Response>;

/** A server whose answers to `initialize` are these, the last one from then on. */
function createServer(...answers: Answer[]) {
  const requests: string[] = [];
  const send: typeof fetch = async (_url, init = {}) => {
    requests.push(init.method ?? 'GET');
    if (init.method === 'DELETE') return new Response(null, { status: 200 });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    const never = new Promise<Response>((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
    return await Promise.race([answer?.() ?? never, never]);
  };
  return { requests, send };
}

const refused: Answer = () => Promise.reject(new TypeError('fetch failed'));
const hangs: Answer = () => new Promise(() => {});
const says =
  (status: number, headers = {}): Answer =>
  async () =>
    new Response('{}', { status, headers });

function wait(send: typeof fetch, signal = new AbortController().signal): Promise<void> {
  return untilAnswers({ url, headers: { authorization: 'Bearer t' }, fetch: send, signal });
}

test('tries again while the port refuses, breaks or answers with errors of its own', async () => {
  const { requests, send } = createServer(refused, says(502), says(200));

  await wait(send);

  assert.equal(requests, ['POST', 'POST', 'POST']);
});

test('does not wait long for a first request that hangs', async () => {
  const { send } = createServer(hangs, says(200));
  const startedAt = performance.now();

  await wait(send);

  assert.ok(performance.now() - startedAt < 1500);
});

test('ends the session that asking has begun', async () => {
  const { requests, send } = createServer(says(200, { 'mcp-session-id': 's1' }));

  await wait(send);

  assert.equal(requests, ['POST', 'DELETE']);
});

test('a refusal is an answer: what is wrong shows when it is used', async () => {
  const { requests, send } = createServer(says(401));

  await wait(send);

  assert.equal(requests, ['POST']);
});

test('ends when nobody waits any more', async () => {
  const { send } = createServer(hangs);
  const controller = new AbortController();
  const reason = new Error('enough');
  setTimeout(() => controller.abort(reason), 20);

  assert.is(await failureOf(wait(send, controller.signal)), reason);
});

test.run();
