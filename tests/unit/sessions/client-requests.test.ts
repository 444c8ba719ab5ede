import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCancellation } from '../../../lib/async/cancellation.ts';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import type { RawAnswer } from '../../../lib/json-rpc/server-messages.ts';
import { silentLog } from '../../../lib/log.ts';
import {
  type ClientRequests,
  createClientRequests,
} from '../../../lib/sessions/client-requests/client-requests.ts';

const test = suite('requests to clients');
const everything = { sampling: { tools: {} }, elicitation: { form: {}, url: {} }, roots: {} };
const opened: ClientRequests[] = [];

test.after.each(() => {
  for (const requests of opened.splice(0)) requests.close();
});

function setUp(clientCapabilities: Record<string, unknown> = everything, protocolVersion = '2025-11-25') {
  const id = 'session-1';
  let last = 0;
  const newId = () => `id-${++last}`;
  const requests = createClientRequests({ bus: createLocalBus({ log: silentLog }), newId });
  opened.push(requests);
  const emitted: string[] = [];
  const session = { id, clientCapabilities, protocolVersion };
  const cancellation = createCancellation();
  const ask = (method = 'sampling/createMessage', params = '{"n":1.0}') =>
    requests.ask({ session, emit: (text) => void emitted.push(text) }, method, params, cancellation.signal);
  const take = (text: string, sessionId = id, messageId: string | number = 'id-1') =>
    requests.take({ id: sessionId }, { kind: 'response', id: messageId, text });
  return { requests, emitted, ask, take, cancellation };
}

const answerText = '{"jsonrpc":"2.0","id":"id-1","result":{"a":1.0}}';

function codeOf(answer: RawAnswer): number | undefined {
  return 'error' in answer ? JSON.parse(answer.error).code : undefined;
}

test('go out as they were asked and bring the answer back as it is', async () => {
  const { ask, take, emitted } = setUp();

  const answer = ask();
  await until(() => emitted.length > 0);
  await take(answerText);

  assert.equal(emitted, [
    '{"jsonrpc":"2.0","id":"id-1","method":"sampling/createMessage","params":{"n":1.0}}',
  ]);
  assert.equal(await answer, { result: '{"a":1.0}' });
});

test('bring back an error of the client as an error', async () => {
  const { ask, take, emitted } = setUp();

  const answer = ask();
  await until(() => emitted.length > 0);
  await take('{"jsonrpc":"2.0","id":"id-1","error":{"code":-1,"message":"User rejected"}}');

  assert.equal(await answer, { error: '{"code":-1,"message":"User rejected"}' });
});

test('are not answered by another session, an unknown id or a number', async () => {
  const { ask, take, emitted } = setUp();
  let isAnswered = false;

  const answer = ask().finally(() => {
    isAnswered = true;
  });
  await until(() => emitted.length > 0);
  await take(answerText, 'session-2');
  await take(answerText, 'session-1', 'id-2');
  await take(answerText, 'session-1', 1);
  await new Promise((resolve) => setTimeout(resolve, 5));

  assert.is(isAnswered, false);
  await take(answerText);
  await answer;
});

test('are answered once: what comes later is dropped', async () => {
  const { ask, take, emitted } = setUp();

  const answer = ask();
  await until(() => emitted.length > 0);
  await take(answerText);
  await take('{"jsonrpc":"2.0","id":"id-1","result":{"b":2}}');

  assert.equal(await answer, { result: '{"a":1.0}' });
});

test('are taken back when the call they belong to ends', async () => {
  const { ask, emitted, cancellation } = setUp();

  const answer = ask();
  await until(() => emitted.length > 0);
  cancellation.abort();

  assert.is(codeOf(await answer), -32603);
  assert.equal(JSON.parse(emitted[1] ?? ''), {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 'id-1' },
  });
});

test('that a client did not declare are refused without asking it', async () => {
  const { ask, emitted } = setUp({});

  for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list']) {
    assert.is(codeOf(await ask(method)), -32601, method);
  }
  assert.equal(emitted, []);
});

test('for tools in sampling need a client that knows them', async () => {
  const { ask } = setUp({ sampling: {} });

  assert.is(codeOf(await ask('sampling/createMessage', '{"messages":[],"tools":[]}')), -32602);
});

test('for context in sampling need a client that declared it, where that could be declared', async () => {
  const context = '{"messages":[],"includeContext":"thisServer"}';
  const plain = setUp({ sampling: {} });
  const declared = setUp({ sampling: { context: {} } });
  const earlier = setUp({ sampling: {} }, '2025-06-18');

  const refused = await plain.ask('sampling/createMessage', context);
  for (const { ask, take } of [declared, earlier]) {
    const answer = ask('sampling/createMessage', context);
    await take(answerText);
    assert.is(codeOf(await answer), undefined);
  }

  assert.is(codeOf(refused), -32602);
  assert.match('error' in refused ? refused.error : '', 'context in sampling');
  assert.equal(plain.emitted, []);
});

test('without context in sampling need nothing declared, in whatever words', async () => {
  for (const included of ['"none"', 'null', '"\\u006eone"']) {
    const { ask, take } = setUp({ sampling: {} });
    const answer = ask('sampling/createMessage', `{"messages":[],"includeContext":${included}}`);
    await take(answerText);
    assert.is(codeOf(await answer), undefined, included);
  }
});

test('by URL are refused when only forms were declared, by name or by silence', async () => {
  for (const elicitation of [{}, { form: {} }]) {
    const { ask } = setUp({ elicitation });
    assert.is(codeOf(await ask('elicitation/create', '{"mode":"url","url":"https://a.test"}')), -32602);
  }
});

test('by form are refused when only URLs were declared', async () => {
  const { ask } = setUp({ elicitation: { url: {} } });

  assert.is(codeOf(await ask('elicitation/create', '{"message":"?"}')), -32602);
});

test('by form need no mode on either side', async () => {
  const { ask, take, emitted } = setUp({ elicitation: {} });

  const answer = ask('elicitation/create', '{"message":"?"}');
  await until(() => emitted.length > 0);
  await take(answerText);

  assert.is(codeOf(await answer), undefined);
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

test.run();
