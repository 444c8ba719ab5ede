import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { memberText } from '../../../lib/json/raw-json.ts';
import { MessageGatherer } from '../../../lib/json-rpc/node-message-gatherer.ts';
import { readMessages } from '../../../lib/json-rpc/server-messages.ts';

const test = suite('long messages of servers');

const padding = 'p'.repeat(40_000);

function read(text: string | Buffer, length = 3_000) {
  const gatherer = new MessageGatherer();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) {
    gatherer.add(Buffer.from(bytes.subarray(at, at + length)));
  }
  return readMessages(gatherer.take());
}

test('an answer has the members that its text has, wherever the bytes are cut', () => {
  const member = fc.constantFrom(
    '"id":7',
    '"\\u0069d" : 8',
    '"result":{"a":[1,"]"],"isError":true}',
    '"result" : "é漢🙂"',
    '"error":{"code":-1}',
    '"jsonrpc":"2.0"',
    '"x":null',
  );
  const message = fc
    .array(member, { minLength: 1, maxLength: 6 })
    .map((members) => `{ ${members.join(' ,')} , "pad":"${padding}é" }`);
  fc.assert(
    fc.property(message, fc.integer({ min: 1, max: 5_000 }), (text, length) => {
      const [found] = read(text, length);
      const { id } = JSON.parse(text);
      if (id === undefined) return assert.is(found, undefined);
      assert.ok(found?.kind === 'answer' && found.id === id && found.text === text);
      assert.is(found.judged?.result, memberText(text, 'result'));
      assert.is(found.judged?.error, memberText(text, 'error'));
      assert.is(found.judged?.isError, JSON.parse(text).result?.isError === true);
    }),
    { numRuns: 300 },
  );
});

test('nothing that is no JSON passes, nor anything after the message', () => {
  const result = `"result":{"text":"${padding}"}`;
  const texts = [
    `{"id":1,${result}},"id":2,"result":{}}`,
    `{"id":1,${result}`,
    `{"id":1,"result":{"text":"${padding}"}]}`,
    `{"id":1,"result":"${padding}\t"}`,
    `{"id":1,"result":"${padding}",}`,
    `{"id":1,"result":"${padding}"} {}`,
    `x${padding}`,
  ];
  for (const text of texts) assert.equal(read(text), [], text.slice(-30));
});

test('bytes that are no UTF-8 are replaced, and close no string', () => {
  const bytes = Buffer.concat([Buffer.from(`{"id":1,"result":"${padding}`), Buffer.from([0xc3, 0x22, 0x7d])]);
  const [found] = read(bytes, 7);

  assert.ok(found?.kind === 'answer');
  assert.is(found.judged?.result, `"${padding}\ufffd"`);
});

test('requests and notifications are read as short ones are', () => {
  const params = `{"_meta":{},"progressToken":5,"requestId":"a","pad":"${padding}"}`;
  const request = `{"id":"q","method":"sampling/createMessage","params":${params}}`;
  const notification = `{"method":"notifications/x","params":${params}}`;

  assert.equal(read(request), [
    { kind: 'request', id: 'q', method: 'sampling/createMessage', text: request },
  ]);
  assert.equal(read(notification), [
    { kind: 'notification', method: 'notifications/x', progressToken: 5, requestId: 'a', text: notification },
  ]);
});

test('what is too much is known by its id and method, in whatever order they come', () => {
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
  const many = `[${'1,'.repeat(60_000)}1]`;
  const kinds = [
    read(`{"pad":"${padding}","result":${deep},"id":3}`),
    read(`{"id":"q","pad":"${padding}","params":${deep},"method":"sampling/createMessage"}`),
    read(`{"method":"notifications/message","params":${many}}`),
    read(`{"method":"notifications/message","params":"${'x'.repeat(4_194_304)}"}`),
  ];

  assert.equal(kinds.flat(), [
    { kind: 'refused', id: 3, method: undefined, excess: 'depth' },
    { kind: 'refused', id: 'q', method: 'sampling/createMessage', excess: 'depth' },
    { kind: 'refused', id: undefined, method: 'notifications/message', excess: 'call-elements' },
    { kind: 'refused', id: undefined, method: 'notifications/message', excess: 'call-length' },
  ]);
});

test('as deep and with as many elements as allowed passes', () => {
  // The message is one level itself, and each member has a colon.
  const deep = `{"id":1,"pad":"${padding}","result":${'['.repeat(127)}${']'.repeat(127)}}`;
  const many = (commas: number) => `{"id":1,"result":[${'1,'.repeat(commas)}1]}`;

  assert.is(read(deep)[0]?.kind, 'answer');
  assert.is(read(deep.replace('[', '[[').replace(']}', ']]}'))[0]?.kind, 'refused');
  assert.is(read(many(250_000 - 5))[0]?.kind, 'answer');
  assert.is(read(many(250_000 - 4))[0]?.kind, 'refused');
});

test('a long array of messages is taken apart as a short one is', () => {
  const kinds = read(`[{"id":1,"result":"${padding}"},{"method":"x"}]`).map(({ kind }) => kind);

  assert.equal(kinds, ['answer', 'notification']);
});

test.run();
