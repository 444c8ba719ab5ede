/** What a server sends without params that are an object, which clients could not read once it carries its name. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ClientChannel } from '../../../lib/upstreams/upstreams.ts';
import { createMultiplexerFixture } from './multiplexer-fixture.ts';

const test = suite('params of a server that are no object');

/** A call under way, of a client that says yes to whatever it is asked. */
function setUp() {
  const fixture = createMultiplexerFixture();
  const asked: string[] = [];
  const told: string[] = [];
  const clientChannel: ClientChannel = {
    ...{ canAnswer: true, logLevel: undefined, hangUp() {} },
    notify: (message) => void told.push(message),
    async ask(_method, params) {
      asked.push(params);
      return { result: '"yes"' };
    },
  };
  const call = fixture.request(undefined, clientChannel);
  return {
    ...{ ...fixture, asked, told },
    async end() {
      fixture.answer(1);
      await call;
      await fixture.stop();
    },
  };
}

const request = (id: string, params: string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"sampling/createMessage"${params}}`;

test('a request is refused, and no client is asked', async () => {
  const { server, sent, asked, end } = setUp();
  const refusal = { code: -32602, message: 'The params must be an object.' };

  for (const params of ['[]', '"text"', '7', '[{"a":1}]']) {
    server().onMessage(request(params, `,"params":${params}`));
    assert.equal(sent.at(-1), { jsonrpc: '2.0', id: params, error: refusal });
  }

  assert.equal(asked, []);
  await end();
});

test('a request without any reaches the client with the server’s name', async () => {
  const { server, sent, asked, end } = setUp();

  for (const params of ['', ',"params":null', ',"params":{}']) server().onMessage(request(params, params));
  await new Promise((resolve) => setImmediate(resolve));

  const named = { _meta: { 'svc-mcp/server': 'files' } };
  assert.equal(
    asked.map((text) => JSON.parse(text)),
    [named, named, named],
  );
  assert.equal(sent.at(-1), { jsonrpc: '2.0', id: ',"params":{}', result: 'yes' });
  await end();
});

test('a log message passes as it is', async () => {
  const { server, told, end } = setUp();
  const messages = ['null', '[]', '"text"'].map(
    (params) => `{"jsonrpc":"2.0","method":"notifications/message","params":${params}}`,
  );

  for (const message of messages) server().onMessage(message);

  assert.equal(told, messages);
  await end();
});

test.run();
