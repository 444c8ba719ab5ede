import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readMessages } from '../../../lib/json-rpc/server-messages.ts';

const test = suite('messages from a server');

test('an answer, a request and a notification are told apart', () => {
  const kinds = ['{"id":1,"result":{}}', '{"id":"a","method":"ping"}', '{"method":"notifications/x"}'].map(
    (text) => readMessages(text)[0]?.kind,
  );

  assert.equal(kinds, ['answer', 'request', 'notification']);
});

test('a batch is taken apart, each message with its own text', () => {
  const messages = readMessages(' [{"id":1, "result":1.0}, 5, {"method":"x"}] ');

  assert.equal(messages, [
    { kind: 'answer', id: 1, text: '{"id":1, "result":1.0}' },
    {
      kind: 'notification',
      method: 'x',
      progressToken: undefined,
      requestId: undefined,
      text: '{"method":"x"}',
    },
  ]);
});

test('what is no message is left out', () => {
  for (const text of [
    '',
    'Listening on 80',
    '{"half":',
    '{}',
    '[]',
    'null',
    '{"id":null}',
    '{"id":{}}',
    '[[{}]]',
  ]) {
    assert.equal(readMessages(text), [], text);
  }
});

test('a method wins over a result, so that no request passes for an answer', () => {
  assert.is(readMessages('{"id":1,"method":"ping","result":{}}')[0]?.kind, 'request');
});

test('params of any kind do no harm', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (params) => {
      assert.is(readMessages(JSON.stringify({ method: 'x', params }))[0]?.kind, 'notification');
    }),
  );
});

test.run();
