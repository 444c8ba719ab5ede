import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCancellation } from '../../../lib/async/cancellation.ts';
import type { RawAnswer } from '../../../lib/json-rpc/server-messages.ts';
import { createOutsideQuestions } from '../../../lib/upstreams/multiplexer/outside-questions.ts';

const test = suite('questions that belong to no call');
const cancelled: RawAnswer = { error: '{"code":1,"message":"cancelled"}' };

/** Questions to a client that answers none, and says so when they are taken back. */
function setUp(callCapMs: number) {
  const questions = createOutsideQuestions({
    server: 'demo',
    timeouts: { callMs: 7, callCapMs },
    clients: {
      ask: ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(cancelled))),
    },
    starter: undefined,
  });
  const ask = (method: string) => {
    const cancellation = createCancellation();
    const question = { sessionId: 's', method, params: '{}', clientChannel: undefined };
    return { cancellation, answer: questions.ask(question, cancellation) };
  };
  return { questions, ask };
}

test('are taken back when nobody has answered for as long as a call may last, and the server is told so', async () => {
  const { ask, questions } = setUp(20);
  const { answer, cancellation } = ask('elicitation/create');

  const answered = await answer;

  assert.match('error' in answered ? answered.error : '', 'has not answered within 20 ms');
  assert.is(cancellation.signal.aborted, true);
  assert.is(questions.areOpen(), false);
});

test('are open until they are answered or the connection ends', async () => {
  const { ask, questions } = setUp(60_000);
  const { answer } = ask('elicitation/create');

  assert.is(questions.areOpen(), true);
  questions.end();

  assert.equal(await answer, cancelled);
  assert.is(questions.areOpen(), false);
});

test('for roots can be waited for, and for no longer than one wants to', async () => {
  const { ask, questions } = setUp(60_000);
  assert.is(await questions.rootsAnswered(60_000), false);
  ask('elicitation/create');
  assert.is(await questions.rootsAnswered(60_000), false);
  const { cancellation } = ask('roots/list');

  assert.is(await questions.rootsAnswered(10), true);
  const waiting = questions.rootsAnswered(60_000);
  cancellation.abort();

  assert.is(await waiting, true);
  questions.end();
});

test.run();
