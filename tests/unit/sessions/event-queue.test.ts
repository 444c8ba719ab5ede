import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredEvent, StoredStream } from '../../../lib/sessions/event-log/event-log.ts';
import { createEventQueue, type StreamWrite } from '../../../lib/sessions/event-log/event-queue.ts';

const test = suite('event queue');

/** Writes as `stream:seq,seq` and, where something is to be dropped, `<keepFrom`. */
function openQueue(fail: (ids: readonly string[]) => Error | undefined = () => undefined) {
  const written: string[][] = [];
  const queue = createEventQueue({
    async write(writes) {
      await new Promise((resolve) => setImmediate(resolve));
      const error = fail(writes.map(({ stream }) => stream.id));
      if (error) throw error;
      written.push(writes.map(describe));
    },
    mostEventsPerWrite: 3,
    mostWaitingCharacters: 2_100,
    isGeneral: (error) => error instanceof Error && error.message === 'away',
  });
  return { queue, written };
}

function describe({ stream, events, keepFrom }: StreamWrite): string {
  const seqs = events.map(({ seq }) => seq).join(',');
  return `${stream.id}:${seqs}${keepFrom > 0 ? `<${keepFrom}` : ''}`;
}

function stream(id: string): StoredStream {
  return { id, sessionId: 's', principal: 'me', fallbackAnswer: '' };
}

function event(id: string, seq: number, more: Partial<StoredEvent> = {}): [StoredStream, StoredEvent] {
  return [stream(id), { stream: stream(id), seq, message: '{}', isLast: false, keepFrom: 0, ...more }];
}

test('what comes alone is written at once, be it only that the stream is there', async () => {
  const { queue, written } = openQueue();

  assert.is(await queue.add(stream('a')), true);
  assert.is(await queue.add(...event('a', 1)), true);

  assert.equal(written, [['a:'], ['a:1']]);
});

test('what comes during a write goes together, by stream, in order and about within the limit', async () => {
  const { queue, written } = openQueue();

  await Promise.all([
    queue.add(...event('a', 1)),
    queue.add(...event('b', 1)),
    queue.add(...event('c', 1)),
    queue.add(...event('b', 2)),
    queue.add(...event('c', 2)),
    queue.add(...event('a', 2)),
  ]);

  assert.equal(written, [['a:1'], ['b:1,2'], ['c:1,2', 'a:2']]);
});

test('what its writer no longer keeps is not written', async () => {
  const { queue, written } = openQueue();
  queue.add(...event('a', 1));

  const adding = [2, 3, 4, 5, 6].map((seq) =>
    queue.add(...event('a', seq, { keepFrom: Math.max(0, seq - 2) })),
  );

  assert.equal(await Promise.all(adding), [true, true, true, true, true]);
  assert.equal(written, [['a:1'], ['a:4,5,6<4']]);
});

test('one stream that is refused fails alone, and its neighbours are written', async () => {
  const { queue, written } = openQueue((ids) => (ids.includes('bad') ? new Error('refused') : undefined));
  queue.add(...event('first', 1));

  const stored = await Promise.all(['a', 'bad', 'b'].map((id) => queue.add(...event(id, 1))));

  assert.equal(stored, [true, false, true]);
  assert.equal(written, [['first:1'], ['a:1'], ['b:1']]);
});

test('while the database is away all that wait are told at once, and what comes later is tried again', async () => {
  let isAway = true;
  const { queue, written } = openQueue(() => (isAway ? new Error('away') : undefined));

  const stored = await Promise.all([1, 2, 3].map((seq) => queue.add(...event('a', seq))));
  isAway = false;

  assert.equal(stored, [false, false, false]);
  assert.is(await queue.add(...event('a', 4)), true);
  assert.equal(written, [['a:4']]);
});

test('what waits is bounded, and what was dropped makes room', async () => {
  const { queue } = openQueue();
  queue.add(...event('first', 1));
  const long = 'x'.repeat(500);

  const stored = await Promise.all([
    queue.add(...event('a', 1, { message: long })),
    queue.add(...event('a', 2, { message: long })),
    queue.add(...event('a', 3, { message: long })),
    queue.add(...event('b', 1, { message: '', keepFrom: 0 })),
  ]);
  queue.add(...event('first', 2));
  queue.add(...event('a', 4, { message: long }));
  queue.add(...event('a', 5, { message: long, keepFrom: 5 }));

  assert.equal(stored, [true, true, false, true]);
  assert.is(await queue.add(...event('b', 2, { message: long })), true);
});

test('one of any size is taken when nothing waits', async () => {
  const { queue, written } = openQueue();

  assert.is(await queue.add(...event('a', 1, { message: 'x'.repeat(10_000) })), true);
  assert.equal(written, [['a:1']]);
});

test.run();
