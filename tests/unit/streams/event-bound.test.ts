import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEventBound } from '../../../lib/streams/event-bound.ts';

const test = suite('the bound of an event');

/** How many bytes are taken of this text, piece by piece, before it is too long. */
function taken(text: string, mostBytes: number): number {
  const isWithin = createEventBound(mostBytes);
  const bytes = new TextEncoder().encode(text);
  const tooLong = bytes.findIndex((_, at) => !isWithin(bytes.subarray(at, at + 1)));
  return tooLong < 0 ? bytes.length : tooLong;
}

test('counts anew after an empty line, however lines end', () => {
  for (const event of ['data: 1\n\n', 'data: 1\r\n\r\n', 'data: 1\r\r', 'id: 2\ndata: 1\n\n']) {
    assert.is(taken(event.repeat(50), 20), event.length * 50, JSON.stringify(event));
  }
});

test('counts all lines of one event together', () => {
  assert.is(taken('data: 1\n'.repeat(50), 20), 20);
});

test('holds within one piece and over several', () => {
  const isWithin = createEventBound(10);

  assert.is(isWithin(new Uint8Array(10).fill(65)), true);
  assert.is(isWithin(new Uint8Array(1).fill(65)), false);
  assert.is(createEventBound(10)(new Uint8Array(11).fill(65)), false);
});

test.run();
