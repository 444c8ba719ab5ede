import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createByteQueue } from '../../../lib/streams/bounded-stream.ts';

const test = suite('bytes that wait');
const bytes = (text: string) => new TextEncoder().encode(text);

function drain(queue: ReturnType<typeof createByteQueue>): string[] {
  const pieces: string[] = [];
  for (let piece = queue.shift(); piece; piece = queue.shift()) pieces.push(new TextDecoder().decode(piece));
  return pieces;
}

test('come out as they went in, one by one, while they are few', () => {
  const queue = createByteQueue();
  queue.push(bytes('a'));
  queue.push(bytes('bc'));

  assert.is(queue.size(), 3);
  assert.equal(drain(queue), ['a', 'bc']);
  assert.ok(queue.isEmpty());
  assert.is(queue.size(), 0);
});

test('are joined when many pile up, and nothing is lost or moved', () => {
  const queue = createByteQueue();
  const texts = Array.from({ length: 1_000 }, (_, at) => `${at},`);
  for (const text of texts) queue.push(bytes(text));

  assert.is(queue.size(), texts.join('').length);
  const pieces = drain(queue);
  assert.is(pieces.join(''), texts.join(''));
  assert.ok(pieces.length < 100, `${pieces.length} pieces`);
});

test('a reader that is slower than the writer gets everything in order', () => {
  const queue = createByteQueue();
  let written = '';
  let read = '';
  for (let at = 0; at < 2_000; at += 1) {
    queue.push(bytes(`${at} `));
    written += `${at} `;
    if (at % 3 === 0) read += new TextDecoder().decode(queue.shift());
  }

  assert.is(read + drain(queue).join(''), written);
});

test('are all forgotten at once', () => {
  const queue = createByteQueue();
  for (let at = 0; at < 100; at += 1) queue.push(bytes('x'));
  queue.clear();
  queue.push(bytes('y'));

  assert.equal(drain(queue), ['y']);
});

test.run();
