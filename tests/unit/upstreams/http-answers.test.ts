import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAnswerParser } from '../../../lib/upstreams/transports/http/node-http-parser.ts';

const test = suite('answers of HTTP servers');

interface Read {
  status: number | undefined;
  headers: Record<string, string>;
  body: string;
  isDone: boolean;
  canStay: boolean;
}

/** Feeds `text` cut at the given places. */
function read(text: string, cuts: readonly number[] = [], isClosed = false): Read {
  const pieces: Buffer[] = [];
  const result: Read = { status: undefined, headers: {}, body: '', isDone: false, canStay: false };
  const parser = createAnswerParser({
    onHead({ status, headers }) {
      result.status = status;
      result.headers = Object.fromEntries(headers);
    },
    onData: (bytes) => void pieces.push(Buffer.from(bytes)),
  });
  const bytes = Buffer.from(text);
  const edges = [0, ...cuts, bytes.length];
  for (let index = 1; index < edges.length; index += 1) {
    result.isDone = parser.feed(bytes.subarray(edges[index - 1], edges[index])) || result.isDone;
  }
  if (isClosed) result.isDone = parser.finish();
  result.body = Buffer.concat(pieces).toString();
  result.canStay = parser.canStay();
  return result;
}

const withLength = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a":"é"}';
const chunked =
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5;x=1\r\nhello\r\n008\r\n, wörld\r\n0\r\nX-Trailer: 1\r\n\r\n';

test('a body of stated length is read, and the connection stays', () => {
  const answer = read(withLength);
  assert.equal(answer, {
    status: 200,
    headers: { 'content-type': 'application/json', 'content-length': '10' },
    body: '{"a":"é"}',
    isDone: true,
    canStay: true,
  });
});

test('chunks are joined; extensions and trailers are passed over', () => {
  const answer = read(chunked);
  assert.is(answer.body, 'hello, wörld');
  assert.ok(answer.isDone && answer.canStay);
});

test('cut anywhere, an answer says the same', () => {
  for (const text of [withLength, chunked, `HTTP/1.1 100 Continue\r\n\r\n${chunked}`]) {
    const { length } = Buffer.from(text);
    const whole = read(text);
    for (let first = 0; first <= length; first += 1) {
      const second = first + ((first * 7) % (length - first + 1));
      assert.equal(read(text, [first, second]), whole, `cut at ${first} and ${second}`);
    }
  }
});

test('a body without a length lasts until the connection ends, which cannot stay then', () => {
  const open = read('HTTP/1.1 200 OK\r\n\r\nabc');
  assert.not(open.isDone);
  const closed = read('HTTP/1.1 200 OK\r\n\r\nabc', [], true);
  assert.ok(closed.isDone);
  assert.is(closed.body, 'abc');
  assert.not(closed.canStay);
});

test('a body that breaks off is not complete', () => {
  assert.not(read('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabc', [], true).isDone);
  assert.not(read('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabc', [], true).isDone);
});

test('204 and 304 have no body whatever they state', () => {
  assert.ok(read('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n').isDone);
  assert.ok(read('HTTP/1.1 304 Not Modified\r\n\r\n').isDone);
});

test('a connection does not stay when the server closes it, speaks 1.0, or sent more than was asked for', () => {
  assert.not(read('HTTP/1.1 200 OK\r\nconnection: Close\r\ncontent-length: 0\r\n\r\n').canStay);
  assert.not(read('HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n').canStay);
  assert.not(read('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nab').canStay);
  assert.not(read(`${chunked}HTTP/1.1 200 OK\r\n`).canStay);
});

test('a header that comes twice is joined', () => {
  assert.is(read('HTTP/1.1 200 OK\r\nA: 1\r\na:2 \r\ncontent-length: 0\r\n\r\n').headers.a, '1, 2');
});

const head = 'HTTP/1.1 200 OK\r\n';
const refused: Readonly<Record<string, string>> = {
  'another protocol': 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
  'a status that is none': 'HTTP/1.1 099 X\r\n\r\n',
  'a switch of protocols': 'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  'a folded header': `${head}a: 1\r\n b\r\n\r\n`,
  'a space before the colon': `${head}a : 1\r\n\r\n`,
  'a bare line feed in a header': `${head}a: 1\nb: 2\r\n\r\n`,
  'a length and a coding': `${head}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
  'two lengths': `${head}content-length: 1\r\ncontent-length: 2\r\n\r\n`,
  'a negative length': `${head}content-length: -1\r\n\r\n`,
  'an unknown coding': `${head}transfer-encoding: gzip, chunked\r\n\r\n`,
  'a chunk size that is no number': `${head}transfer-encoding: chunked\r\n\r\n0x5\r\nhello\r\n`,
  'a chunk longer than its size': `${head}transfer-encoding: chunked\r\n\r\n2\r\nhello\r\n`,
  'a chunk size without its carriage return': `${head}transfer-encoding: chunked\r\n\r\n5\nhello\r\n`,
  'an endless line': `${head}transfer-encoding: chunked\r\n\r\n5;${'x'.repeat(5000)}`,
  'an endless head': `${head}a: ${'x'.repeat(20_000)}`,
};

test('what is no HTTP answer, or an ambiguous one, is refused', () => {
  for (const [name, text] of Object.entries(refused)) {
    assert.throws(
      () => read(text),
      (error: NodeJS.ErrnoException) => error.code === 'ERR_HTTP_ANSWER',
      name,
    );
  }
});

test.run();
