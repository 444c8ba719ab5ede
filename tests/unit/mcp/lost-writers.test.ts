/** Who waits for a process that was lost, and who only seems to. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { databaseUnavailable } from '../../../lib/failure.ts';
import {
  answer,
  closeProcesses,
  dataIn,
  idIn,
  listen,
  type Pair,
  silence,
  twoProcesses,
} from '../../support/returning-client.ts';

const test = suite('lost writers');

test.after.each(closeProcesses);

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

test.run();
