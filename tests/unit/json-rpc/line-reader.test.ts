import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLineReader } from '../../../lib/json-rpc/node-line-reader.ts';
import type { ServerMessage } from '../../../lib/json-rpc/server-messages.ts';

const test = suite('line reader');

function textOf(line: ServerMessage): string {
  return typeof line === 'string' ? line : line.text;
}

function readAll(chunks: readonly Buffer[], longestLineBytes = 1000) {
  const lines: string[] = [];
  let refusals = 0;
  const read = createLineReader({
    longestLineBytes,
    onLine: (line) => lines.push(textOf(line)),
    onTooLong: () => refusals++,
  });
  for (const chunk of chunks) read(chunk);
  return { lines, refusals };
}

test('finds the same lines however the bytes are cut, within characters too', () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n') && text !== '');
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(40)), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const chunks: Buffer[] = [];
      let at = 0;
      for (const cut of [...cuts, bytes.length]) {
        chunks.push(bytes.subarray(at, at + cut));
        at += cut;
      }
      assert.equal(readAll(chunks, 10_000).lines, lines);
    }),
  );
});

test('keeps the rest until its newline comes', () => {
  assert.equal(readAll([Buffer.from('a\nb')]).lines, ['a']);
  assert.equal(readAll([Buffer.from('a\nb'), Buffer.from('\n')]).lines, ['a', 'b']);
});

test('refuses a line that is too long, once, and reads no further', () => {
  const { lines, refusals } = readAll(
    [Buffer.from('short\n'), Buffer.alloc(11, 'x'), Buffer.from('\nmore\n')],
    10,
  );

  assert.equal(lines, ['short']);
  assert.is(refusals, 1);
});

test('counts the length of a line over its chunks', () => {
  const chunks = [Buffer.alloc(6, 'x'), Buffer.alloc(6, 'x')];

  assert.is(readAll(chunks, 10).refusals, 1);
  assert.is(readAll(chunks, 12).refusals, 0);
});

test('reads ten megabytes in small chunks in linear time', () => {
  const chunks = Array.from({ length: 10_000 }, () => Buffer.alloc(1000, 'x'));
  const started = performance.now();

  const { lines } = readAll([Buffer.from('{"id":"'), ...chunks, Buffer.from('"}\n')], 20_000_000);

  assert.is(lines[0]?.length, 10_000_009);
  assert.ok(performance.now() - started < 500);
});

test.run();
