import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toMessage } from '../../../lib/json-rpc/client-messages.ts';
import { endpoint, notification, openSession, post, request } from '../../support/mcp-exchange.ts';
import { onBothLegs } from '../../support/two-legs.ts';

const test = suite('MCP envelope');

onBothLegs(test, 'rule 1: one path answers POST and GET', async ({ fetch }) => {
  const session = await openSession(fetch);
  const leaving = new AbortController();

  const posted = await post(fetch, request(1, 'ping'), session);
  const headers = { ...session, Accept: 'text/event-stream' };
  const got = await fetch(endpoint, { headers, signal: leaving.signal });
  leaving.abort();

  assert.is(posted.status, 200);
  assert.is(got.status, 200);
});

onBothLegs(test, 'rule 6: an accepted notification is 202 without a body', async ({ fetch }) => {
  const session = await openSession(fetch);

  const known = await post(fetch, notification('notifications/initialized'), session);
  const unknown = await post(fetch, notification('notifications/zzz', { any: 1 }), session);

  assert.is(known.status, 202);
  assert.is(known.text, '');
  assert.is(unknown.status, 202);
});

onBothLegs(test, 'rule 6: an answer to a request nobody sent is 202 without a body', async ({ fetch }) => {
  const session = await openSession(fetch);

  const result = await post(fetch, { jsonrpc: '2.0', id: 777, result: {} }, session);
  const error = await post(fetch, { jsonrpc: '2.0', id: 'a', error: { code: 1, message: 'x' } }, session);

  assert.is(result.status, 202);
  assert.is(result.text, '');
  assert.is(error.status, 202);
});

onBothLegs(test, 'rule 7: a request is answered with application/json', async ({ fetch }) => {
  const session = await openSession(fetch);

  const answer = await post(fetch, request(5, 'ping'), session);

  assert.is(answer.headers.get('content-type'), 'application/json');
  assert.is(answer.text, '{"jsonrpc":"2.0","id":5,"result":{}}');
});

onBothLegs(test, 'rule 14: the session header is found in any spelling', async ({ fetch }) => {
  const { 'Mcp-Session-Id': id } = await openSession(fetch);

  const shouted = await post(fetch, request(1, 'ping'), { 'MCP-SESSION-ID': id });
  const whispered = await post(fetch, request(1, 'ping'), { 'mcp-session-id': id });

  assert.is(shouted.status, 200);
  assert.is(whispered.status, 200);
});

onBothLegs(test, 'a body that is not JSON is 400 and -32700 with id null', async ({ fetch }) => {
  const session = await openSession(fetch);

  for (const body of ['', '{', '{oops}', '{"a":1,}', "{'a':1}", 'nul']) {
    const answer = await post(fetch, body, session);

    assert.is(answer.status, 400, body);
    assert.is(answer.body.error.code, -32700, body);
    assert.is(answer.body.id, null, body);
  }
});

onBothLegs(test, 'JSON that is no message is 400 and -32600', async ({ fetch }) => {
  const session = await openSession(fetch);

  for (const body of ['null', '5', '"ping"', 'true', '{}', '{"id":1,"method":"ping"}']) {
    const answer = await post(fetch, body, session);

    assert.is(answer.status, 400, body);
    assert.is(answer.body.error.code, -32600, body);
  }
});

onBothLegs(test, 'an id of null is -32600, since MCP forbids it', async ({ fetch }) => {
  const session = await openSession(fetch);

  const answer = await post(fetch, { jsonrpc: '2.0', id: null, method: 'ping' }, session);

  assert.is(answer.status, 400);
  assert.is(answer.body.error.code, -32600);
  assert.is(answer.body.id, null);
});

onBothLegs(test, 'the id of a refused message is echoed when it can be read', async ({ fetch }) => {
  const session = await openSession(fetch);

  const badMethod = await post(fetch, { jsonrpc: '2.0', id: 'abc', method: 5 }, session);
  const noSession = await post(fetch, request(7, 'tools/list'));

  assert.is(badMethod.body.id, 'abc');
  assert.is(noSession.body.id, 7);
});

onBothLegs(test, 'an id beyond 2^53 is echoed digit by digit', async ({ fetch }) => {
  const session = await openSession(fetch);
  const id = '12345678901234567891';

  const answer = await post(fetch, `{"jsonrpc":"2.0","id":${id},"method":"ping"}`, session);
  const refused = await post(fetch, `{"jsonrpc":"1.0","id":${id},"method":"ping"}`, session);

  assert.is(answer.text, `{"jsonrpc":"2.0","id":${id},"result":{}}`);
  assert.match(refused.text, `"id":${id},`);
});

onBothLegs(test, 'a fractional id is echoed as it came', async ({ fetch }) => {
  const session = await openSession(fetch);

  const answer = await post(fetch, '{"jsonrpc":"2.0","id":1.50,"method":"ping"}', session);

  assert.is(answer.text, '{"jsonrpc":"2.0","id":1.50,"result":{}}');
});

test('the version member must be the string 2.0', () => {
  refuses('{"jsonrpc":"1.0","id":1,"method":"ping"}');
  refuses('{"jsonrpc":2.0,"id":1,"method":"ping"}');
  refuses('{"id":1,"method":"ping"}');
});

test('an id is a string or a finite number', () => {
  refuses('{"jsonrpc":"2.0","id":{},"method":"ping"}');
  refuses('{"jsonrpc":"2.0","id":[1],"method":"ping"}');
  refuses('{"jsonrpc":"2.0","id":true,"method":"ping"}');
  refuses('{"jsonrpc":"2.0","id":1e999,"method":"ping"}');
  assert.is(parse('{"jsonrpc":"2.0","id":"","method":"ping"}').kind, 'request');
  assert.is(parse('{"jsonrpc":"2.0","id":0,"method":"ping"}').kind, 'request');
});

test('a method is a string, and params are an object', () => {
  refuses('{"jsonrpc":"2.0","id":1,"method":null}');
  refuses('{"jsonrpc":"2.0","id":1,"method":["ping"]}');
  refuses('{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}');
  refuses('{"jsonrpc":"2.0","id":1,"method":"ping","params":null}');
  refuses('{"jsonrpc":"2.0","method":"notifications/x","params":"y"}');
});

test('an answer has either a result or an error object, and an id', () => {
  refuses('{"jsonrpc":"2.0","id":1}');
  refuses('{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"x"}}');
  refuses('{"jsonrpc":"2.0","id":7,"error":"x"}');
  refuses('{"jsonrpc":"2.0","result":{}}');
  assert.is(parse('{"jsonrpc":"2.0","id":7,"result":null}').kind, 'response');
});

test('a member named __proto__ changes no prototype', () => {
  const message = parse('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{"cursor":"x"}}}');

  assert.is(message.kind === 'request' && message.params.cursor, undefined);
  assert.is(({} as { cursor?: string }).cursor, undefined);
});

test('of doubled members the last counts, as for JSON.parse', () => {
  const message = parse('{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list","id":2}');

  assert.is(message.kind === 'request' && message.method, 'tools/list');
  assert.is(message.kind === 'request' && message.id, '2');
});

function parse(text: string) {
  return toMessage(JSON.parse(text), text);
}

function refuses(text: string): void {
  assert.throws(
    () => parse(text),
    (error: { code?: string }) => error.code === 'invalid_request',
    text,
  );
}

test.run();
