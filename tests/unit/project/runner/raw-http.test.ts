import { createServer, type Server } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sendRaw } from '../../../support/raw-http.ts';
import { headerOf, readAnswer } from '../../../support/raw-http-answer.ts';

const test = suite('raw HTTP');

function read(text: string, isClosed = false) {
  return readAnswer(Buffer.from(text), isClosed);
}

async function withServer<T>(answer: string | undefined, use: (port: number) => Promise<T>): Promise<T> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => (answer === undefined ? socket.destroy() : socket.end(answer)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  try {
    return await use(typeof address === 'object' && address ? address.port : 0);
  } finally {
    server.close();
  }
}

test('a body ends where its length says', () => {
  const answer = read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');

  assert.is(answer.body, 'hi');
  assert.ok(answer.isComplete);
  assert.not(read('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi').isComplete);
});

test('chunks are put together, and the last one ends the answer', () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

  assert.equal(
    [read(`${head}2\r\nhi\r\n1\r\n!\r\n0\r\n\r\n`).body, read(`${head}2\r\nhi\r\n`).isComplete],
    ['hi!', false],
  );
});

test('interim answers are passed over', () => {
  assert.is(
    read('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n').status,
    413,
  );
});

test('a body without a length ends with the connection', () => {
  assert.not(read('HTTP/1.1 200 OK\r\n\r\nhi').isComplete);
  assert.ok(read('HTTP/1.1 200 OK\r\n\r\nhi', true).isComplete);
});

test('headers are found without regard to case', () => {
  assert.is(headerOf('Content-Type: text/plain\r\nX-B: 2', 'x-b'), '2');
  assert.is(headerOf('X-B: 2', 'x-c'), undefined);
});

test('an answer comes back over a real socket', async () => {
  const answer = await withServer('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno', (port) =>
    sendRaw(port, Buffer.from('GET / HTTP/1.1\r\n\r\n')),
  );

  assert.is(answer.status, 403);
  assert.is(answer.body, 'no');
});

test('a connection that is closed without an answer is told as closed', async () => {
  const answer = await withServer(undefined, (port) => sendRaw(port, Buffer.from('x')));

  assert.is(answer.status, undefined);
  assert.ok(answer.isClosed);
});

test.run();
