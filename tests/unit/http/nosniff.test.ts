import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plainAnswer } from '../../../lib/mcp/content-negotiation.ts';
import { largeText } from '../../../lib/streams/encoded-pieces.ts';
import { both, endpoint, initializeMessage, json, openSession } from '../../support/mcp-exchange.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { onBothLegs, onNodeLeg } from '../../support/two-legs.ts';

const test = suite('nosniff');

onBothLegs(test, 'every answer of the gateway says that its type is not to be guessed', async ({ fetch }) => {
  const session = await openSession(fetch);
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const begun = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const post = (body: string, headers = {}) =>
    fetch(endpoint, { method: 'POST', headers: { ...json, ...headers }, body });
  const stream = await fetch(endpoint, { headers: { ...session, Accept: 'text/event-stream' } });
  const answers = {
    list: await post(call, session),
    event: await post(call, { ...session, Accept: 'text/event-stream' }),
    both: await post(call, { ...session, ...both }),
    initialize: await post(JSON.stringify(initializeMessage())),
    notification: await post(begun, session),
    refusal: await post('{', session),
    stream,
    tools: await fetch('/api/v0/tools'),
    health: await fetch('/healthz'),
    metrics: await fetch('/metrics'),
    nowhere: await fetch('/nowhere'),
    method: await fetch('/healthz', { method: 'PUT' }),
    preflight: await fetch(endpoint, { method: 'OPTIONS', headers: { Origin: 'http://localhost:1' } }),
    end: await fetch(endpoint, { method: 'DELETE', headers: session }),
  };

  for (const [name, { headers }] of Object.entries(answers)) {
    assert.is(headers.get('x-content-type-options'), 'nosniff', name);
  }
  for (const answer of Object.values(answers)) await answer.body?.cancel();
});

test('so do long answers, which leave in pieces', () => {
  const answer = { text: `"${'x'.repeat(largeText)}"`, status: 200 };
  for (const prefersStream of [false, true]) {
    const { headers } = plainAnswer({ eventStream: prefersStream, prefersStream }, answer);
    assert.is(headers.get('x-content-type-options'), 'nosniff');
  }
});

test('so do the refusals that come before any handler', async () => {
  await onNodeLeg(async ({ port }) => {
    const expecting = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n';
    const hostless = 'GET / HTTP/1.1\r\n\r\n';
    for (const text of [
      'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n',
      'HELLO\r\n\r\n',
      expecting,
      hostless,
    ]) {
      assert.match((await sendRaw(port, Buffer.from(text))).head, /x-content-type-options: nosniff/i);
    }
  });
});

test.run();
