import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  both,
  endpoint,
  initializeMessage,
  json,
  messagesIn,
  openReader,
  post,
  request,
} from '../../support/mcp-exchange.ts';
import { type Leg, onBothLegs } from '../../support/two-legs.ts';

const test = suite('servers that ask back');
const call = request(1, 'tools/call', { name: 'demo__echo' });

/** What a server asks, and what the client's answer becomes: the result of the call. */
function askIn(leg: Leg, method = 'elicitation/create'): void {
  leg.upstreams.answerWith(async ({ clientChannel, signal }) => {
    const answer = await clientChannel?.ask(method, '{"message":"[demo] Which?"}', signal);
    return { result: `{"content":[],"answer":${JSON.stringify(answer ?? null)}}` };
  });
}

async function openAsked(
  leg: Leg,
  capabilities: object = { elicitation: {} },
  protocolVersion = '2025-06-18',
) {
  const initialize = initializeMessage(protocolVersion);
  const params = { ...(initialize.params as object), capabilities };
  const { headers } = await post(leg.fetch, { ...initialize, params });
  return { 'Mcp-Session-Id': headers.get('mcp-session-id') ?? '' };
}

function postStream(leg: Leg, session: Record<string, string>): Promise<Response> {
  const headers = { ...json, ...both, ...session };
  return leg.fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(call) });
}

/** The next message of the stream; what carries none is passed over. */
async function nextMessage(reader: ReturnType<typeof openReader>): Promise<Record<string, unknown>> {
  for (;;) {
    const event = await reader.next();
    if (event === 'closed') throw new Error('The stream ended.');
    const [message] = messagesIn(event) as Record<string, unknown>[];
    if (message !== undefined) return message;
  }
}

onBothLegs(
  test,
  'rule 49: the question comes on the stream of the call, the answer by a POST',
  async (leg) => {
    const session = await openAsked(leg);
    askIn(leg);

    const reader = openReader(await postStream(leg, session));
    const question = await nextMessage(reader);
    const answer = { jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: { n: 1 } } };
    const taken = await post(leg.fetch, answer, session);

    assert.is(question.method, 'elicitation/create');
    assert.equal([taken.status, taken.text], [202, '']);
    const { result } = (await nextMessage(reader)) as { result: { answer: { result: string } } };
    assert.equal(JSON.parse(result.answer.result), { action: 'accept', content: { n: 1 } });
    assert.is(await reader.next(), 'closed');
  },
);

onBothLegs(
  test,
  'rule 49: a client that declared nothing is not asked, and its call goes on',
  async (leg) => {
    const session = await openAsked(leg, {});
    askIn(leg);

    const { headers, body } = await post(leg.fetch, call, { ...session, ...both });

    assert.match(headers.get('content-type') ?? '', 'application/json');
    assert.is(JSON.parse(body.result.answer.error).code, -32601);
  },
);

onBothLegs(test, 'rule 49: a client that reads JSON only cannot be asked', async (leg) => {
  const session = await openAsked(leg);
  askIn(leg);

  const { body } = await post(leg.fetch, call, session);

  assert.is(body.result.answer, null);
});

onBothLegs(test, 'rule 49: nobody can answer for another session', async (leg) => {
  const session = await openAsked(leg);
  const other = await openAsked(leg);
  askIn(leg);
  const reader = openReader(await postStream(leg, session));
  const { id } = await nextMessage(reader);

  const forged = await post(leg.fetch, { jsonrpc: '2.0', id, result: { forged: true } }, other);
  await post(leg.fetch, { jsonrpc: '2.0', id, result: { forged: false } }, session);

  assert.is(forged.status, 202);
  const { result } = (await nextMessage(reader)) as { result: { answer: { result: string } } };
  assert.is(result.answer.result, '{"forged":false}');
});

onBothLegs(test, 'rule 42: a client that cancels its call hears that the question is void', async (leg) => {
  const session = await openAsked(leg);
  leg.upstreams.answerWith(async ({ clientChannel, signal }) => {
    await clientChannel?.ask('elicitation/create', '{}', signal);
    return { result: '{}' };
  });
  const reader = openReader(await postStream(leg, session));
  await nextMessage(reader);

  await post(
    leg.fetch,
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    session,
  );

  const text = await reader.rest();
  assert.match(text, 'notifications/cancelled');
  assert.not.match(text, '"result"');
});

onBothLegs(test, 'rules 2 and 49: in the revision with batches an answer may come in one', async (leg) => {
  const session = await openAsked(leg, { sampling: {} }, '2025-03-26');
  askIn(leg, 'sampling/createMessage');
  const reader = openReader(await postStream(leg, session));
  const { id } = await nextMessage(reader);

  const taken = await post(leg.fetch, [{ jsonrpc: '2.0', id, result: { n: 1 } }], session);

  assert.is(taken.status, 202);
  const { result } = (await nextMessage(reader)) as { result: { answer: { result: string } } };
  assert.is(result.answer.result, '{"n":1}');
});

test.run();
