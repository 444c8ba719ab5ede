import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEventParser, readEventStream } from '../../../static/lib/event-stream.js';

const test = suite('events as the dashboard reads them');

function parse(...pieces: string[]): [string, unknown][] {
  const events: [string, unknown][] = [];
  const feed = createEventParser((type, data) => events.push([type, data]));
  for (const piece of pieces) feed(piece);
  return events;
}

test('an event has its type and its data as JSON, or as text where it is none', () => {
  assert.equal(parse('event: step\ndata: {"step":"pull"}\n\ndata: plain\n\n'), [
    ['step', { step: 'pull' }],
    ['message', 'plain'],
  ]);
});

test('pieces may end anywhere, in a line end too', () => {
  assert.equal(parse('da', 'ta: [1', ',2]\r', '\n\r', '\ndata: 3\n\n'), [
    ['message', [1, 2]],
    ['message', 3],
  ]);
});

test('comments and empty events say nothing', () => {
  assert.equal(parse(': keep-alive\n\n', 'event: step\n\n', 'id: 4\nretry: 1\n\n'), []);
});

test('the lines of one event are one text', () => {
  assert.equal(parse('data: a\ndata:b\n\n'), [['message', 'a\nb']]);
});

test('separators that only JavaScript takes for line ends are part of their line', () => {
  assert.equal(parse('data: "a\u2028b\u2029c"\n\n'), [['message', 'a\u2028b\u2029c']]);
});

test('a character cut in two by the network arrives whole', async () => {
  const bytes = new TextEncoder().encode('data: "grüße"\n\n');
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const seen: unknown[] = [];
  let touches = 0;

  await readEventStream(
    body,
    (_, data) => seen.push(data),
    () => {
      touches += 1;
    },
  );

  assert.equal(seen, ['grüße']);
  assert.ok(touches > 1);
});

test.run();
