/** Coming back to a stream, to the same process or to another one: two of them here, with one log. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { databaseUnavailable } from '../../../lib/http/failure.ts';
import type { AnswerStream } from '../../../lib/mcp/answer-streams.ts';
import { listChanged } from '../../../lib/mcp/list-changed.ts';
import type { EventLog } from '../../../lib/sessions/event-log.ts';
import { createMemoryEventLog } from '../../../lib/sessions/memory-event-log.ts';
import { createLinkedBuses } from '../../support/linked-buses.ts';
import { type EventReader, openReader } from '../../support/mcp-exchange.ts';
import { createStreamParts, someSession } from '../../support/stream-parts.ts';

const test = suite('resuming streams');
const listChangedNotification = listChanged('tools');
const resumable = someSession('2025-11-25');

function twoProcesses(adapt = (log: EventLog) => log) {
  let now = 0;
  const log = adapt(createMemoryEventLog({ now: () => now }));
  const buses = createLinkedBuses();
  const [a, b] = buses.map((bus) => createStreamParts({ log, bus, now: () => now })) as [Parts, Parts];
  opened.push(a, b);
  return { a, b, log, passSeconds: (seconds: number) => (now += seconds * 1000) };
}

type Parts = ReturnType<typeof createStreamParts>;
type Pair = ReturnType<typeof twoProcesses>;
const opened: Parts[] = [];
test.after.each(() => {
  for (const { streams, answerStreams } of opened.splice(0)) {
    streams.closeAll();
    answerStreams.close();
  }
});

interface Visit {
  readonly lastEventId?: string | null;
  readonly authorization?: string | null;
  readonly session?: typeof resumable;
}

async function listen({ streams }: Parts, visit: Visit = {}) {
  const leaving = new AbortController();
  const usual = { session: resumable, authorization: null, lastEventId: null, signal: leaving.signal };
  const reader = openReader(new Response(await streams.open({ ...usual, ...visit })));
  assert.is(await reader.next(), ': open');
  return { ...reader, leave: () => leaving.abort() };
}

function answer({ answerStreams }: Parts, authorization: string | null = null): AnswerStream & EventReader {
  const stream = answerStreams.open({ session: resumable, authorization, lastWords: '{"lost":1}' });
  return { ...stream, ...openReader(new Response(stream.body)) };
}

function idIn(event: string): string {
  return /^id: (.*)$/m.exec(event)?.[1] ?? '';
}

function dataIn(event: string): string | undefined {
  return /^data: (.*)$/m.exec(event)?.[1];
}

function silence(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, 30));
}

/** What a stream has for its reader until it is silent. */
async function drain(reader: EventReader): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const event = await Promise.race([reader.nextWithId(), silence()]);
    if (event === undefined || event === 'closed') return found;
    found.push(dataIn(event) ?? event);
  }
}

test('rule 30: a stream opens with an id and no data, and says when to come back', async () => {
  const { a } = twoProcesses();

  const [listening, answering] = [await listen(a), answer(a)];

  for (const reader of [listening, answering])
    assert.match(await reader.nextWithId(), /^id: \S+-0\nretry: 1000\ndata: $/);
});

test('rule 30: clients of older revisions are not primed', async () => {
  const { a } = twoProcesses();
  const session = someSession('2025-06-18');
  const stream = await listen(a, { session });

  a.streams.sendToSession('s', '{"first":1}');

  assert.match(await stream.nextWithId(), /^id: g\S+-1\nevent: message\ndata: {"first":1}$/);
});

test('rule 29: ids are unique over all streams of a session', async () => {
  const { a } = twoProcesses();
  const readers = [await listen(a), await listen(a), answer(a), answer(a)];

  const ids = await Promise.all(readers.map(async (reader) => idIn(await reader.nextWithId())));

  assert.is(new Set(ids).size, 4);
});

async function comeBackToListen(from: Parts, to: Parts): Promise<string[]> {
  const first = await listen(from);
  await first.next();
  from.streams.sendToSession('s', '{"n":1}');
  const seen = idIn(await first.nextWithId());
  from.streams.sendToSession('s', '{"n":2}');
  first.leave();
  from.streams.sendToSession('s', '{"n":3}');

  const second = await listen(to, { lastEventId: seen });
  to.streams.sendToSession('s', '{"n":4}');

  return (await drain(second)).filter((data) => data !== listChangedNotification);
}

test('rule 29: a listener that comes back gets what came after, then what comes', async () => {
  const { a } = twoProcesses();

  assert.equal(await comeBackToListen(a, a), ['{"n":2}', '{"n":3}', '{"n":4}']);
});

test('rule 29: a listener that comes back to another process gets the same', async () => {
  const { a, b } = twoProcesses();

  assert.equal(await comeBackToListen(a, b), ['{"n":2}', '{"n":3}', '{"n":4}']);
});

async function comeBackToCall(from: Parts, to: Parts): Promise<string[]> {
  const stream = answer(from);
  await stream.next();
  stream.send('{"n":1}');
  const seen = idIn(await stream.nextWithId());
  stream.send('{"n":2}');

  const again = await listen(to, { lastEventId: seen });
  stream.send('{"n":3}');
  await new Promise((resolve) => setTimeout(resolve, 5));
  stream.end('{"result":1}');

  const got = await drain(again);
  assert.is(to.streams.count(), 0);
  return got;
}

test('rule 29: a call’s stream is read to its end after coming back', async () => {
  const { a } = twoProcesses();

  assert.equal(await comeBackToCall(a, a), ['{"n":2}', '{"n":3}', '{"result":1}']);
});

test('rule 29: a call’s stream is read to its end from another process', async () => {
  const { a, b } = twoProcesses();

  assert.equal(await comeBackToCall(a, b), ['{"n":2}', '{"n":3}', '{"result":1}']);
});

test('rule 29: only the broken stream is replayed, not others of the session', async () => {
  const { a, b } = twoProcesses();
  const [one, two] = [answer(a), answer(a)];
  const seen = idIn(await one.nextWithId());
  one.send('{"one":1}');
  two.send('{"two":1}');
  two.end('{"two":2}');
  one.end('{"one":2}');

  assert.equal(await drain(await listen(b, { lastEventId: seen })), ['{"one":1}', '{"one":2}']);
});

test('an answer that came while nobody read it is there for who comes back', async () => {
  const { a, b } = twoProcesses();
  const stream = answer(a);
  const seen = idIn(await stream.nextWithId());
  stream.hangUp();
  assert.is(await stream.next(), 'closed');
  stream.send('{"n":1}');
  stream.end('{"result":1}');

  assert.equal(await drain(await listen(b, { lastEventId: seen })), ['{"n":1}', '{"result":1}']);
});

test('a hung-up stream closes once another process can find it', async () => {
  let store = () => {};
  const stored = new Promise<void>((resolve) => {
    store = resolve;
  });
  const { a, b } = twoProcesses((log) => ({
    ...log,
    open: (stream) => stored.then(() => log.open(stream)),
  }));
  const stream = answer(a);
  const seen = idIn(await stream.nextWithId());

  stream.hangUp();

  const closed = stream.next();
  const silence = new Promise((resolve) => setTimeout(resolve, 30, 'open'));
  assert.is(await Promise.race([closed, silence]), 'open');
  store();
  assert.is(await closed, 'closed');
  stream.end('{"result":1}');
  assert.equal(await drain(await listen(b, { lastEventId: seen })), ['{"result":1}']);
});

test('a stream that could not be stored is not hung up', async () => {
  const { a } = twoProcesses((log) => ({ ...log, open: async () => false }));
  const stream = answer(a);
  await stream.next();

  stream.hangUp();
  await new Promise((resolve) => setTimeout(resolve, 5));
  stream.end('{"result":1}');

  assert.is(dataIn(await stream.nextWithId()), '{"result":1}');
});

test('a client that has everything comes back to a stream that ends', async () => {
  const { a, b } = twoProcesses();
  const stream = answer(a);
  await stream.next();
  stream.end('{"result":1}');
  const seen = idIn(await stream.nextWithId());

  const again = await listen(b, { lastEventId: seen });

  assert.is(await again.next(), 'closed');
});

test('another session and another principal get nothing of a stream, but one of their own', async () => {
  const { a, b } = twoProcesses();
  const mine = answer(a, 'Bearer mine');
  const seen = idIn(await mine.nextWithId());
  mine.send('{"secret":1}');
  const other = someSession('2025-11-25', 'other');

  for (const visit of [
    { authorization: 'Bearer other' },
    {},
    { session: other, authorization: 'Bearer mine' },
  ]) {
    const stream = await listen(b, { ...visit, lastEventId: seen });
    const [first, ...more] = await drain(stream);
    assert.equal([first?.includes('secret'), more], [false, []]);
    stream.leave();
  }
  assert.equal(
    (await drain(await listen(b, { authorization: 'Bearer mine', lastEventId: seen })))[0],
    '{"secret":1}',
  );
});

test('a client may be back elsewhere before its stream is stored', async () => {
  const { a, b, log } = twoProcesses();
  const stored = { ...log, read: log.read };
  const hidden = { ...b, streams: createStreamParts({ log: stored, bus: b.bus, now: () => 0 }).streams };
  const stream = answer(a);
  const seen = idIn(await stream.nextWithId());
  stream.end('{"result":1}');
  let looks = 0;
  stored.read = async (...asked) => (++looks < 3 ? undefined : await log.read(...asked));

  assert.equal(await drain(await listen(hidden, { lastEventId: seen })), ['{"result":1}']);
});

test('unknown ids and ids of other kinds open a new stream', async () => {
  const { a } = twoProcesses();

  for (const lastEventId of [
    'nonsense',
    'g0123456789abcdef0123-7',
    'p0123456789abcdef0123-7',
    '5',
    'x'.repeat(9999),
  ]) {
    const stream = await listen(a, { lastEventId });
    a.streams.sendToSession('s', '{"n":1}');
    assert.ok((await drain(stream)).includes('{"n":1}'), lastEventId);
    stream.leave();
  }
});

test('the process that is left does not send to the dead connection any more', async () => {
  const { a, b } = twoProcesses();
  const first = await listen(a);
  await first.next();
  a.streams.sendToSession('s', '{"n":1}');
  const seen = idIn(await first.nextWithId());

  await listen(b, { lastEventId: seen });
  await new Promise((resolve) => setTimeout(resolve, 5));

  assert.equal([a.streams.count(), b.streams.count()], [0, 1]);
  assert.is(await first.next(), 'closed');
});

test('a listener that comes back is told of lists that changed meanwhile, and not of others', async () => {
  const { a, b, passSeconds } = twoProcesses();
  const elsewhere = await listen(b, { session: someSession('2025-11-25', 'other') });
  passSeconds(1);
  const first = await listen(a);
  await first.next();
  a.streams.sendToSession('s', '{"n":1}');
  const seen = idIn(await first.nextWithId());
  first.leave();
  a.streams.closeAll();
  passSeconds(1);

  const unchanged = await drain(await listen(b, { lastEventId: seen }));
  b.streams.closeAll();
  b.streams.sendToGroup('g', listChangedNotification);
  const changed = await drain(await listen(b, { lastEventId: seen }));

  assert.equal([unchanged, changed], [[], [listChangedNotification]]);
  elsewhere.leave();
});

test('a process that was not there meanwhile says that lists may have changed', async () => {
  const { a, b, passSeconds } = twoProcesses();
  const first = await listen(a);
  await first.next();
  a.streams.sendToSession('s', '{"n":1}');
  const seen = idIn(await first.nextWithId());
  passSeconds(1);

  assert.equal(await drain(await listen(b, { lastEventId: seen })), [listChangedNotification]);
});

/** Passes second by second, each with a look at the stream. */
async function watchFor(seconds: number, { b, passSeconds }: Pair, seen: string): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    passSeconds(1);
    b.bus.publish({ type: 'stream', name: seen.replace(/-\d+$/, '') });
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

test('who waits for the answer of a process that was lost is told so', async () => {
  const pair = twoProcesses();
  const stream = answer(pair.a);
  const seen = idIn(await stream.nextWithId());
  pair.a.answerStreams.close();
  const told = (await listen(pair.b, { lastEventId: seen })).nextWithId();

  await watchFor(15, pair, seen);
  assert.is(await Promise.race([told, silence()]), undefined);
  await watchFor(1, pair, seen);

  assert.is(dataIn(await told), '{"lost":1}');
});

test('who comes later is told so after a while', async () => {
  const pair = twoProcesses();
  const stream = answer(pair.a);
  const seen = idIn(await stream.nextWithId());
  pair.a.answerStreams.close();
  pair.passSeconds(60);
  const told = (await listen(pair.b, { lastEventId: seen })).nextWithId();

  await watchFor(6, pair, seen);
  assert.is(await Promise.race([told, silence()]), undefined);
  await watchFor(1, pair, seen);

  assert.is(dataIn(await told), '{"lost":1}');
});

test('a process is not taken for lost because the database was away', async () => {
  let isAway = false;
  const pair = twoProcesses((log) => ({
    ...log,
    read: async (...asked) => (isAway ? Promise.reject(databaseUnavailable()) : log.read(...asked)),
  }));
  const stream = answer(pair.a);
  const seen = idIn(await stream.nextWithId());
  const told = (await listen(pair.b, { lastEventId: seen })).nextWithId();
  await watchFor(8, pair, seen);

  isAway = true;
  await watchFor(30, pair, seen);
  isAway = false;
  await watchFor(5, pair, seen);

  stream.end('{"result":1}');
  assert.is(dataIn(await told), '{"result":1}');
});

test('a stream keeps its latest 256 events, and no more than 1 MiB', async () => {
  const { a, b } = twoProcesses();
  const many = answer(a);
  const seenOfMany = idIn(await many.nextWithId());
  for (let n = 1; n <= 300; n += 1) many.send(`{"n":${n}}`);
  const large = answer(a);
  const seenOfLarge = idIn(await large.nextWithId());
  for (let n = 1; n <= 6; n += 1) large.send(`{"n":${n},"text":"${'x'.repeat(300_000)}"}`);

  const [first, ...rest] = await drain(await listen(b, { lastEventId: seenOfMany }));
  const kept = await drain(await listen(b, { lastEventId: seenOfLarge }));

  assert.equal([first, rest.length], ['{"n":45}', 255]);
  assert.equal(
    kept.map((data) => JSON.parse(data).n),
    [4, 5, 6],
  );
});

test('a kept message larger than all bounds still reaches who comes back', async () => {
  const { a, b } = twoProcesses();
  const stream = answer(a);
  const seen = idIn(await stream.nextWithId());
  stream.hangUp();
  stream.send('{"n":1}');
  stream.end(`{"result":"${'x'.repeat(3_000_000)}"}`);

  const got = await drain(await listen(b, { lastEventId: seen }));

  assert.equal(
    got.map(({ length }) => length),
    [3_000_013],
  );
});

test('a session has 16 streams at most, the oldest is closed', async () => {
  const { a } = twoProcesses();
  const first = await listen(a);
  await first.next();

  for (let n = 0; n < 16; n += 1) await listen(a);

  assert.is(a.streams.count(), 16);
  assert.is(await first.next(), 'closed');
});

test('the end of a session ends what it came back to', async () => {
  const { a, b } = twoProcesses();
  const stream = answer(a);
  const again = await listen(b, { lastEventId: idIn(await stream.nextWithId()) });

  b.streams.closeSession('s');

  assert.is(await again.next(), 'closed');
  assert.is(b.streams.count(), 0);
});

test('a session that ends while its stream is looked for gets none', async () => {
  let found = () => {};
  const looking = new Promise<void>((resolve) => {
    found = resolve;
  });
  const { a, b } = twoProcesses((log) => ({
    ...log,
    read: (...asked) => looking.then(() => log.read(...asked)),
  }));
  const opened: string[] = [];
  b.streams.onOpen(({ id }) => opened.push(id));
  const stream = answer(a);
  const again = listen(b, { lastEventId: idIn(await stream.nextWithId()) });

  b.streams.closeSession('s');
  found();

  assert.is(await (await again).next(), 'closed');
  assert.equal([b.streams.count(), opened], [0, []]);
});

test.run();
