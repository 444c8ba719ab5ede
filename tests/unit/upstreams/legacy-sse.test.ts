/** The transport of revision 2024-11-05 with a server that does what no real one can be asked to do. */

import type { ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultLimits } from '../../../lib/config/server-config.ts';
import { openLegacySse } from '../../../lib/upstreams/transports/http/node-legacy-sse-transport.ts';
import type { SendProblem, Transport } from '../../../lib/upstreams/transports/transport.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { serverConfig } from '../../support/upstream-fixture.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('a server over HTTP with SSE');

interface Fixture {
  readonly transport: Transport;
  readonly messages: string[];
  readonly failed: Map<number, SendProblem>;
  /** Bodies of the server's POSTs. */
  readonly posted: readonly string[];
  /** What ended it, or keeps it from taking more. */
  readonly ends: string[];
  /** What the server writes on its event stream. */
  write(text: string): void;
  /** The server ends its event stream. */
  end(): void;
  /** It takes no further connection; those that are there stay. */
  stopListening(): void;
}

/** @param answerPost How the server answers each POST. */
async function withTransport(
  answerPost: (response: ServerResponse) => void,
  work: (fixture: Fixture) => Promise<void>,
  responseBytes = 10_000,
): Promise<void> {
  let stream: ServerResponse | undefined;
  const posted: string[] = [];
  const server = await startHttpServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => request.method === 'POST' && posted.push(body));
    if (request.method === 'POST') return answerPost(response);
    stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
    stream.write('event: endpoint\ndata: /messages\n\n');
  });
  const limits = { ...defaultLimits, responseBytes };
  const config = serverConfig({ name: 'old', transport: 'sse', url: `http://${server.address}/sse`, limits });
  const messages: string[] = [];
  const failed = new Map<number, SendProblem>();
  const ends: string[] = [];
  const transport = openLegacySse(config, {
    onMessage: (message) => messages.push(typeof message === 'string' ? message : message.text),
    isAwaited: () => true,
    onHungUp() {},
    onShared() {},
    onSendFailed: (id, problem) => failed.set(id, problem),
    onLost: (reason) => ends.push(`lost: ${reason}`),
    onClose: (reason) => ends.push(reason),
    onStderr() {},
  });
  try {
    await waitUntil('it is connected', () => stream);
    await work({
      ...{ transport, messages, failed, posted, ends },
      write: (text) => void stream?.write(text),
      end: () => void stream?.end(),
      stopListening: server.stopListening,
    });
  } finally {
    await transport.close('stop');
    await server.close();
  }
}

const accept = (response: ServerResponse) => void response.writeHead(202).end();
const answer = (id: number, text = '') =>
  `data: {"jsonrpc":"2.0","id":${id},"result":{"text":"${text}"}}\n\n`;
const request = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{}}`;

test('messages go through as they are, both ways: long integers, `1.0`, doubled members and spaces', () =>
  withTransport(accept, async ({ transport, messages, posted, write }) => {
    const members = '"n": 12345678901234567890,"one":1.0,"a":1,"a":2';
    const result = `{"jsonrpc":"2.0","id":1,"result":{${members}}}`;
    const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{${members}}}`;
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${members}}}`;
    transport.sendRequest(1, call);
    await transport.sendOther(progress);
    await waitUntil('both are posted', () => posted.length === 2);
    for (const text of [result, progress]) write(`event: message\ndata: ${text}\n\n`);
    await waitUntil('both are heard', () => messages.length === 2);

    assert.equal([...posted].sort(), [call, progress].sort());
    assert.equal(messages, [result, progress]);
  }));

test('a POST that is refused fails its own call, with the status, and no other', () => {
  const answers = [accept, (response: ServerResponse) => void response.writeHead(400).end('no')];
  return withTransport(
    (response) => answers.shift()?.(response),
    async ({ transport, messages, failed, ends, write }) => {
      await transport.sendOther(request(1));
      transport.sendRequest(2, request(2));
      await waitUntil('the second has failed', () => failed.size > 0);
      write(answer(1));
      await waitUntil('the first is answered', () => messages.length > 0);

      assert.equal([...failed], [[2, { reason: 'it answered with HTTP status 400', neverSent: false }]]);
      assert.equal(ends, []);
    },
  );
});

test('a POST that reaches nobody was never sent, and those before it are still answered', () =>
  withTransport(accept, async ({ transport, messages, failed, ends, write, stopListening }) => {
    stopListening();
    transport.sendRequest(1, request(1));
    await waitUntil('it has failed', () => failed.size > 0);
    write(answer(2));
    await waitUntil('the one before is answered', () => messages.length > 0);

    assert.equal(failed.get(1), { reason: 'it refuses connections', neverSent: true });
    assert.equal(ends, ['lost: it refuses connections']);
  }));

test('a message that is none is passed over', () =>
  withTransport(accept, async ({ messages, ends, write }) => {
    write('data: no JSON\n\n');
    write(answer(1));
    await waitUntil('the next one is read', () => messages.length > 0);

    assert.equal(ends, []);
  }));

test('the end of its stream is its end', () =>
  withTransport(accept, async ({ ends, end }) => {
    end();
    await waitUntil('it has ended', () => ends.length > 0);

    assert.equal(ends, ['its event stream broke']);
  }));

test('an event beyond the limit ends it, however it is cut, and many small ones do not', () =>
  withTransport(accept, async ({ messages, ends, write }) => {
    for (let id = 1; id <= 20; id++) write(answer(id, 'x'.repeat(1_000)));
    await waitUntil('all are read', () => messages.length === 20);
    assert.equal(ends, []);

    write(`data: ${'x'.repeat(6_000)}`);
    write('x'.repeat(6_000));
    await waitUntil('it has ended', () => ends.length > 0);

    assert.equal(ends, ['its answer is longer than 10000 bytes']);
  }));

test('a message that is too deep or has too many elements ends it before anybody parses it', () =>
  withTransport(
    accept,
    async ({ messages, ends, write }) => {
      const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
      write(answer(1, 'x'.repeat(100_000)));
      await waitUntil('a long one is read', () => messages.length === 1);
      write(`data: {"jsonrpc":"2.0","id":2,"result":{"a":${deep}}}\n\n`);
      await waitUntil('it has ended', () => ends.length > 0);

      assert.equal(ends, ['it sent a message that nests deeper than 128 levels']);
      assert.is(messages.length, 1);
    },
    200_000,
  ));

test('an answer to a POST that never ends is not read beyond the limit', () => {
  const answerWithoutEnd = (response: ServerResponse) =>
    void response.writeHead(500, { 'content-type': 'text/plain' }).write('x'.repeat(20_000));
  return withTransport(answerWithoutEnd, async ({ transport, failed }) => {
    transport.sendRequest(1, request(1));
    await waitUntil('it has failed', () => failed.size > 0);

    assert.is(failed.get(1)?.reason, 'it answered with HTTP status 500');
  });
});

test('closing it ends the wait for a POST that is not answered', () =>
  withTransport(
    () => {},
    async ({ transport }) => {
      const taken = transport.sendOther(request(1));

      await transport.close('stop');

      await taken;
    },
  ));

test('a server that never names its endpoint does not keep it from being closed', async () => {
  const server = await startHttpServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
  );
  const config = serverConfig({ name: 'old', transport: 'sse', url: `http://${server.address}/sse` });
  const ends: string[] = [];
  const events = { onMessage() {}, isAwaited: () => true, onHungUp() {}, onSendFailed() {} };
  const transport = openLegacySse(config, {
    ...events,
    onShared() {},
    onLost() {},
    onClose: (reason) => ends.push(reason),
    onStderr() {},
  });

  await transport.close('stop');

  assert.equal(ends, []);
  await server.close();
});

test.run();
