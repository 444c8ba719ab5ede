import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { endpoint, openSession } from '../../support/mcp-exchange.ts';
import { type RawAnswer, sendRaw } from '../../support/raw-http.ts';
import { onNodeLeg } from '../../support/two-legs.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('what the HTTP parser refuses');
const post = `POST ${endpoint} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;

async function send(text: string, check: (answer: RawAnswer) => void): Promise<void> {
  await onNodeLeg(async ({ port, fetch, logged }) => {
    check(await sendRaw(port, Buffer.from(text, 'latin1')));

    assert.is((await fetch('/healthz')).status, 200);
    assert.equal(logged, []);
  });
}

function isRefused(status: number, name: string) {
  return (answer: RawAnswer) => {
    assert.is(answer.status, status);
    assert.match(answer.head, /content-type: application\/json/i);
    const { id, error } = JSON.parse(answer.body);
    assert.equal([id, error.data.code], [null, name]);
  };
}

test('headers over 16 KiB are 431', async () => {
  await send(`${post}X-A: ${'a'.repeat(20_000)}\r\n\r\n`, isRefused(431, 'header_too_large'));
});

test('two different lengths are 400', async () => {
  await send(
    `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`,
    isRefused(400, 'invalid_request'),
  );
});

test('a length and chunks at once are 400', async () => {
  const text = `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;

  await send(text, isRefused(400, 'invalid_request'));
});

test('NUL in a header, a space before a colon and bare line feeds are 400', async () => {
  for (const line of ['X-A: a\0b\r\n', 'X : y\r\n', 'X-A: y\n']) {
    await send(`${post}${line}\r\n`, isRefused(400, 'invalid_request'));
  }
});

test('what is no HTTP at all is 400', async () => {
  for (const text of ['\x16\x03\x01\x02\x00\x01\x00', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'HELLO\r\n\r\n']) {
    await send(text, isRefused(400, 'invalid_request'));
  }
});

test('a bad chunk in the body ends the request, and is no defect of ours', async () => {
  const text = `${post}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`;

  await send(text, isRefused(400, 'invalid_request'));
});

test('HTTP/1.1 without a Host is 400; of older versions nothing is known to be ours', async () => {
  await send('GET /healthz HTTP/1.1\r\n\r\n', isRefused(400, 'invalid_request'));
  await send('GET /healthz HTTP/1.0\r\n\r\n', isRefused(403, 'host_not_allowed'));
});

test('an expectation that nobody knows is 417', async () => {
  await send(`${post}Expect: pancakes\r\nContent-Length: 0\r\n\r\n`, ({ status }) => assert.is(status, 417));
});

test('TRACE is refused', async () => {
  await send(`TRACE ${endpoint} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, ({ status }) => assert.is(status, 405));
});

test('no parser error is written into an answer that has begun', async () => {
  await onNodeLeg(async ({ port, fetch, streams }) => {
    const { 'Mcp-Session-Id': id } = await openSession(fetch);
    let received = '';
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (data) => {
      received += data;
    });
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.write(`GET ${endpoint} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n`);
    socket.write(`Mcp-Session-Id: ${id}\r\n\r\n`);
    await waitUntil('the stream is open', () => received.includes(': open'), { everyMs: 1 });

    socket.write('GARBAGE\r\n\r\n');
    await closed;

    assert.is(received.match(/HTTP\/1\.1/g)?.length, 1);
    await waitUntil('the stream is closed', () => streams.count() === 0, { everyMs: 1 });
  });
});

test.run();
