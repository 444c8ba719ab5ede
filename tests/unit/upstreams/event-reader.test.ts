import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEventReader } from '../../../lib/upstreams/transports/http/node-event-reader.ts';

const test = suite('event streams of servers');

interface Event {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: string;
}

function readAll(bytes: Buffer, lengths: readonly number[], mostBytes = 100_000) {
  const events: Event[] = [];
  const retries: number[] = [];
  let refusals = 0;
  const read = createEventReader({
    mostBytes,
    onEvent: ({ data, ...event }) =>
      events.push({ ...event, data: typeof data === 'string' ? data : data.text }),
    onRetry: (milliseconds) => retries.push(milliseconds),
    onTooLong: () => refusals++,
  });
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const end = at + (lengths[turn % lengths.length] ?? 1);
    read(Buffer.from(bytes.subarray(at, end)));
    at = end;
  }
  return { events, retries, refusals };
}

/** What a reader of whole texts makes of it. */
function readByLibrary(text: string) {
  const events: Event[] = [];
  const retries: number[] = [];
  const parser = createParser({
    onEvent: ({ id, event = '', data }) => events.push({ id, type: event, data }),
    onRetry: (milliseconds) => retries.push(milliseconds),
  });
  parser.feed(text);
  return { events, retries };
}

const line = fc.oneof(
  fc.constantFrom(
    'data',
    'data:',
    'data: {"a":1}',
    'data:  é漢',
    'data',
    'event: message',
    'event:x',
    'id: 7',
    'id',
  ),
  fc.constantFrom('retry: 12', 'retry: 1x', ': comment', 'datax: 1', 'dat', 'unknown: x', 'data: a:b: c', ''),
  fc.constant(''),
);
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const lengths = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 });

test('reads what a reader of whole texts reads, however the bytes are cut', () => {
  const stream = fc.array(fc.tuple(line, lineEnd), { maxLength: 20 }).map((lines) => lines.flat().join(''));
  fc.assert(
    fc.property(stream, lengths, (text, pieces) => {
      // An empty line after all, so that no event is left open.
      const whole = `${text}\n\n`;
      const { events, retries } = readAll(Buffer.from(whole), pieces);
      const expected = readByLibrary(whole);
      const withData = ({ data }: Event) => data !== '';
      assert.equal(events.filter(withData), expected.events.filter(withData), JSON.stringify(whole));
      assert.equal(retries, expected.retries);
    }),
    { numRuns: 2_000 },
  );
});

test('an event without data tells its id, and a mark of byte order is passed over', () => {
  const { events } = readAll(Buffer.from('\ufeffid: 1\ndata:\n\ndata: x\nid: 2\n\n'), [2]);

  assert.equal(events, [
    { id: '1', type: '', data: '' },
    { id: '2', type: '', data: 'x' },
  ]);
});

test('a long event of JSON on many lines is one message', () => {
  const lines = Array.from({ length: 2_000 }, (_, at) => `data:   "k${at}": "é",\n`).join('');
  const text = `data: {"params": {\n${lines}data:   "id": 1\ndata: }}\n\n`;
  const { events } = readAll(Buffer.from(text), [1_000]);

  const { params } = JSON.parse(events[0]?.data ?? '');
  assert.equal([params.id, params.k1999, Object.keys(params).length], [1, 'é', 2_001]);
});

test('an event that is too long is refused once, and one that is as long as allowed is not', () => {
  const text = (length: number) => Buffer.from(`data: ${'x'.repeat(length)}\n\ndata: y\n\n`);

  assert.equal(readAll(text(100), [7], 100).events.length, 2);
  const { events, refusals } = readAll(text(101), [7], 100);
  assert.equal([events.length, refusals], [0, 1]);
});

test.run();
