import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEvents } from '../../../static/lib/events.js';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('news as the dashboard follows them');
const realFetch = globalThis.fetch;
test.after.each(() => {
  globalThis.fetch = realFetch;
});

/** A manager that refuses all tokens but `right`, and counts the bodies of its refusals that were called off. */
function follow(token: { value: string }, refusedWith = 401) {
  const states: string[] = [];
  let [attempts, cancelled] = [0, 0];
  globalThis.fetch = async (_, init) => {
    attempts += 1;
    const isRight = new Headers(init?.headers).get('Authorization') === 'Bearer right';
    const body = new ReadableStream({
      start: (stream) => init?.signal?.addEventListener('abort', () => stream.error(new Error('aborted'))),
      cancel: () => {
        cancelled += 1;
      },
    });
    return new Response(body, { status: isRight ? 200 : refusedWith });
  };
  const events = createEvents({
    getToken: () => token.value,
    onEvent: () => {},
    onState: (state) => states.push(state),
  });
  return { events, states, attempts: () => attempts, cancelled: () => cancelled };
}

test('a manager that wants a token is not taken for one that does not answer', async () => {
  const { events, states, attempts } = follow({ value: '' });
  await waitUntil('it was refused', () => attempts() > 0 && states.length > 0);
  events.close();

  assert.equal(states, ['starting']);
});

test('one that fails is taken for that', async () => {
  const { events, states } = follow({ value: '' }, 503);
  await waitUntil('it failed', () => states.length > 0);
  events.close();

  assert.equal(states, ['lost']);
});

test('the body of a refusal is not kept waiting', async () => {
  const { events, cancelled } = follow({ value: '' });
  await waitUntil('it is called off', () => cancelled() === 1);
  events.close();
});

test('retry ends the pause at once, and the next one is short again', async () => {
  const token = { value: '' };
  const { events, states, attempts } = follow(token);
  await waitUntil('the pause has grown to 2 s', () => attempts() === 3);

  events.retry();
  await waitUntil('it was tried at once', () => attempts() === 4, { limitMs: 1_500 });
  await waitUntil('and again soon', () => attempts() === 5, { limitMs: 3_000 });
  token.value = 'right';
  events.retry();
  await waitUntil('it is live', () => states.at(-1) === 'live', { limitMs: 1_500 });
  events.close();
});

test.run();
