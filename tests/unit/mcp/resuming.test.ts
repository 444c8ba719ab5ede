/** Coming back to a stream, to the same process or to another one. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listChanged } from '../../../lib/mcp/views/group-views.ts';
import {
  answer,
  closeProcesses,
  drain,
  idIn,
  listen,
  type Parts,
  twoProcesses,
} from '../../support/returning-client.ts';
import { createStreamParts, someSession } from '../../support/stream-parts.ts';

const test = suite('resuming streams');
const listChangedNotification = listChanged('tools');

test.after.each(closeProcesses);

test('rule 30: a stream opens with an id and no data, and says when to come back', async () => {
  const { a } = twoProcesses();

  const [listening, answering] = [await listen(a), answer(a)];

  for (const reader of [listening, answering])
    assert.match(await reader.nextWithId(), /^id: \S+-0\nretry: 5000\ndata: $/);
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
  assert.is(await stream.next(), 'retry: 1000');
  assert.is(await stream.next(), 'closed');
  stream.send('{"n":1}');
  stream.end('{"result":1}');

  assert.equal(await drain(await listen(b, { lastEventId: seen })), ['{"n":1}', '{"result":1}']);
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

test.run();
