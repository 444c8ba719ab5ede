import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readAccept } from '../../../lib/mcp/content-negotiation.ts';
import {
  both,
  endpoint,
  initializeMessage,
  messagesIn,
  openSession,
  post,
  request,
} from '../../support/mcp-exchange.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { onBothLegs, onNodeLeg } from '../../support/two-legs.ts';

const test = suite('Accept');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const jsonOnly = { eventStream: false, prefersStream: false };
const eitherOne = { eventStream: true, prefersStream: false };
const rather = { eventStream: true, prefersStream: true };

test('rule 8: no Accept, an empty one and */* mean JSON', () => {
  assert.equal(readAccept(null), jsonOnly);
  assert.equal(readAccept(''), jsonOnly);
  assert.equal(readAccept('*/*'), jsonOnly);
  assert.equal(readAccept('application/*'), jsonOnly);
  assert.equal(readAccept('text/html, */*;q=0.8'), jsonOnly);
});

test('rule 8: an event stream is for those who name it, plain answers for those who name it first', () => {
  assert.equal(readAccept('application/json, text/event-stream'), eitherOne);
  assert.equal(readAccept('*/*, text/event-stream'), eitherOne);
  assert.equal(readAccept('text/event-stream,application/json;q=0.5'), rather);
  assert.equal(readAccept('TEXT/EVENT-STREAM; charset=utf-8, */*'), rather);
  assert.equal(readAccept('text/event-stream'), rather);
});

test('rule 8: a type with weight 0 is not acceptable', () => {
  assert.equal(readAccept('application/json, text/event-stream;q=0'), jsonOnly);
  assert.throws(() => readAccept('application/json;q=0'), isNotAcceptable);
  assert.throws(() => readAccept('application/json; q=0.000, text/html'), isNotAcceptable);
});

test('rule 8: a type is parsed, not searched for', () => {
  assert.throws(() => readAccept('text/html'), isNotAcceptable);
  assert.throws(() => readAccept('text/plain; x=application/json'), isNotAcceptable);
  assert.throws(() => readAccept('application/jsonp'), isNotAcceptable);
});

onBothLegs(test, 'rule 8: a client that reads neither gets 406', async ({ fetch }) => {
  const answer = await post(fetch, initializeMessage(), { Accept: 'text/html' });

  assert.is(answer.status, 406);
  assert.is(answer.body.error.code, -32000);
  assert.is(answer.body.error.data.code, 'not_acceptable');
});

onBothLegs(test, 'rule 8: */* is answered in JSON, also for a call with a progress token', async (leg) => {
  const session = await openSession(leg.fetch);
  leg.upstreams.answerWith((call) => {
    call.progress({ progress: 1 });
    return { result: '{"content":[]}' };
  });

  const params = { name: 'demo__echo', _meta: { progressToken: 1 } };
  const answer = await post(leg.fetch, request(1, 'tools/call', params), { ...session, Accept: '*/*' });

  assert.is(answer.headers.get('content-type'), 'application/json');
  assert.equal(answer.body, { jsonrpc: '2.0', id: 1, result: { content: [] } });
});

onBothLegs(
  test,
  'rule 7: a client of event streams alone gets one with the answer in it',
  async ({ fetch }) => {
    const answer = await post(fetch, initializeMessage(), { Accept: 'text/event-stream' });

    assert.is(answer.status, 200);
    assert.is(answer.headers.get('content-type'), 'text/event-stream');
    assert.ok(answer.headers.get('mcp-session-id'));
    assert.is(answer.body.length, 1);
    assert.is(answer.body[0].result.protocolVersion, '2025-03-26');
  },
);

onBothLegs(
  test,
  'rule 7: a client that names event streams first gets one for every answer',
  async ({ fetch }) => {
    const session = await openSession(fetch);
    const headers = { ...session, Accept: 'text/event-stream, application/json' };

    const answer = await post(fetch, request(1, 'tools/list'), headers);

    assert.is(answer.headers.get('content-type'), 'text/event-stream');
    assert.is(answer.body[0].result.tools.length, 2);
  },
);

onBothLegs(
  test,
  'rule 30: what such a client waits for comes on a stream that has an id first',
  async (leg) => {
    const session = await openSession(leg.fetch, '2025-11-25');
    leg.upstreams.answerWith(async () => {
      // More turns of the timers than the opening takes, and less than half of what other clients wait for theirs.
      for (let turn = 0; turn < 4; turn += 1) await pause(5);
      return { result: '{"content":[]}' };
    });

    const headers = { ...session, Accept: 'text/event-stream, application/json' };
    const { text } = await post(leg.fetch, request(1, 'tools/call', { name: 'demo__echo' }), headers);

    const [priming = '', answer = ''] = text.split('\n\n');
    assert.match(priming, /^id: \S+-0\nretry: 5000\ndata: $/);
    assert.match(answer, /^id: \S+-1\n/);
    assert.equal(messagesIn(text), [{ jsonrpc: '2.0', id: 1, result: { content: [] } }]);
  },
);

onBothLegs(
  test,
  'rule 7: what takes long comes on a stream in sessions of every revision, batches included',
  async (leg) => {
    const call = request(1, 'tools/call', { name: 'demo__echo' });
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18']) {
      const session = await openSession(leg.fetch, version);
      for (const body of version === '2025-03-26' ? [call, [call]] : [call]) {
        let finish = () => {};
        leg.upstreams.answerWith(
          () =>
            new Promise((resolve) => {
              finish = () => resolve({ result: '{"content":[]}' });
            }),
        );

        const response = await leg.fetch(endpoint, {
          method: 'POST',
          headers: { ...session, ...both, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        });
        finish();

        const text = await response.text();
        const answer = { jsonrpc: '2.0', id: 1, result: { content: [] } };
        assert.is(response.headers.get('content-type'), 'text/event-stream');
        assert.not.match(text, /^data: $/m);
        assert.equal(messagesIn(text), [Array.isArray(body) ? [answer] : answer]);
      }
    }
  },
);

onBothLegs(test, 'a refusal keeps its status for a client of event streams alone', async ({ fetch }) => {
  const headers = { Accept: 'text/event-stream', 'Mcp-Session-Id': 'unknown' };

  const answer = await post(fetch, request(3, 'ping'), headers);

  assert.is(answer.status, 404);
  assert.equal([answer.body.id, answer.body.error.code], [3, -32001]);
});

onBothLegs(test, 'a plain answer is JSON for a client that reads both', async ({ fetch }) => {
  const session = await openSession(fetch);

  const answer = await post(fetch, request(1, 'tools/list'), { ...session, ...both });

  assert.is(answer.headers.get('content-type'), 'application/json');
});

onBothLegs(test, 'rule 8: GET without text/event-stream is 406', async ({ fetch }) => {
  const session = await openSession(fetch);

  const anything = await fetch(endpoint, { headers: { ...session, Accept: '*/*' } });
  const json = await fetch(endpoint, { headers: { ...session, Accept: 'application/json' } });

  assert.is(anything.status, 406);
  assert.is(json.status, 406);
});

test('rule 8: a call without any Accept header is answered in JSON', async () => {
  await onNodeLeg(async ({ port }) => {
    const body = JSON.stringify(initializeMessage());
    const head = `POST ${endpoint} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`;

    const bytes = Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    const answer = await sendRaw(port, bytes);

    assert.is(answer.status, 200);
    assert.match(answer.head, /mcp-session-id: [\w-]{22,}/i);
    assert.is(JSON.parse(answer.body).result.serverInfo.version, '1.2.3');
  });
});

function isNotAcceptable(error: { code?: string }): boolean {
  return error.code === 'not_acceptable';
}

test.run();
