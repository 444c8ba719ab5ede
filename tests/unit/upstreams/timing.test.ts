import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createBackOff, reconnectPauses } from '../../../lib/async/back-off.ts';
import { createSingleFlight } from '../../../lib/async/single-flight.ts';
import { createRestarts } from '../../../lib/upstreams/connection/connection-timers.ts';
import { createRelisting } from '../../../lib/upstreams/connection/listings.ts';
import { failureOf } from '../../support/upstream-fixture.ts';

const test = suite('when servers are started and listed');

test('the first restart is at once, then pauses double up to 30 s', () => {
  const backOff = createBackOff(reconnectPauses);
  const pauses = Array.from({ length: 10 }, () => backOff.next());

  assert.equal(pauses, [0, 250, 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]);
  backOff.reset();
  assert.is(backOff.next(), 0);
});

test('a failed start keeps calls away for its rest, a lost connection does not', () => {
  let now = 0;
  const restarts = createRestarts({ now: () => now, start() {}, restMs: 1000 });
  assert.ok(restarts.mayStartForCall());

  restarts.plan(false);
  assert.ok(restarts.mayStartForCall());
  restarts.plan(true);
  assert.not(restarts.mayStartForCall());
  now = 1000;
  assert.ok(restarts.mayStartForCall());
  restarts.cancel();
});

test('a start is shared while it is under way, and forgotten when it failed', async () => {
  let attempts = 0;
  const starts = createSingleFlight(async () => {
    await pause(5);
    if (++attempts === 1) throw new Error('first fails');
    return attempts;
  });

  const [one, two] = await Promise.all([failureOf(starts.join()), failureOf(starts.join())]);

  assert.equal([one.message, two.message], ['first fails', 'first fails']);
  assert.is(await starts.join(), 2);
});

test('an abandoned start is told, and does not stand in the way of the next', async () => {
  const starts = createSingleFlight(async (signal) => {
    await pause(20);
    signal.throwIfAborted();
    return 'up';
  });
  const first = failureOf(starts.join());

  starts.abandon(new Error('stopped'));
  const second = starts.join();

  assert.is(await second, 'up');
  assert.is((await first).message, 'stopped');
});

test('a change is listed long before 200 ms are over', async () => {
  const order: string[] = [];
  const late = pause(200).then(() => order.push('200 ms'));
  const relisting = createRelisting({
    now: Date.now,
    list: async () => void order.push('listed'),
    onFailure() {},
  });

  relisting.request();
  await late;
  relisting.stop();

  assert.equal(order, ['listed', '200 ms']);
});

test('a server that announces a change at each listing is listed at a distance', async () => {
  let listings = 0;
  const relisting = createRelisting({
    now: Date.now,
    list: async () => {
      listings++;
      relisting.request();
    },
    onFailure() {},
  });

  relisting.request();
  await pause(400);
  relisting.stop();

  assert.is(listings, 1);
});

test('a listing that fails is reported, and the next change lists again', async () => {
  const failures: unknown[] = [];
  const relisting = createRelisting({
    now: Date.now,
    list: async () => {
      throw new Error('no list');
    },
    onFailure: (error) => failures.push((error as Error).message),
  });

  relisting.request();
  await pause(80);
  relisting.request();
  await pause(600);
  relisting.stop();

  assert.equal(failures, ['no list', 'no list']);
});

test.run();
