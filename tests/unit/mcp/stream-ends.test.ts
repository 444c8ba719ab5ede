/** How much of a stream is kept, and what ends one. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  answer,
  closeProcesses,
  dataIn,
  drain,
  idIn,
  listen,
  twoProcesses,
} from '../../support/returning-client.ts';
import { someSession } from '../../support/stream-parts.ts';

const test = suite('ends of streams');

test.after.each(closeProcesses);

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
  assert.is(await closed, 'retry: 1000', 'it may come back sooner than after a restart');
  assert.is(await stream.next(), 'closed');
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

test('streams sent elsewhere end with the time to return after, and go on there without a gap', async () => {
  const { a, b } = twoProcesses();
  const listening = await listen(a);
  const seen = idIn(await listening.nextWithId());
  const written = answer(b);
  const tailing = await listen(a, { lastEventId: idIn(await written.nextWithId()) });

  a.streams.sendElsewhere();

  for (const reader of [listening, tailing]) {
    assert.equal([await reader.next(), await reader.next()], ['retry: 1000', 'closed']);
  }
  assert.is(a.streams.count(), 0);
  a.streams.sendToSession('s', '{"missed":1}');
  assert.equal(await drain(await listen(b, { lastEventId: seen })), ['{"missed":1}']);
});

test('a client that knows no ids is sent elsewhere by the end alone', async () => {
  const { a } = twoProcesses();
  const listening = await listen(a, { session: someSession('2025-06-18') });

  a.streams.sendElsewhere();

  assert.is(await listening.next(), 'closed');
});

test('an answer that is being worked on is not sent elsewhere', async () => {
  const { a } = twoProcesses();
  const stream = answer(a);
  await stream.next();

  a.streams.sendElsewhere();
  stream.end('{"result":1}');

  assert.is(dataIn(await stream.nextWithId()), '{"result":1}');
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
