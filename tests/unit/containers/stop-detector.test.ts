import { mock } from 'node:test';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerEvent } from '../../../lib/containers/containers.ts';
import { createStopDetector } from '../../../lib/containers/store/stop-detector.ts';

const test = suite('why a container ended');

const id = 'c1';

test.before(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() }));
test.after(() => mock.timers.reset());

/** Time goes by here alone, as far as the answer needs it. */
async function later<T>(answer: Promise<T>): Promise<T> {
  let isThere = false;
  const settled = answer.finally(() => {
    isThere = true;
  });
  for (let waited = 0; waited < 20_000; waited += 10) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isThere) break;
    mock.timers.tick(10);
  }
  assert.ok(isThere, 'there is no answer after 20 s');
  return await settled;
}

function setUp() {
  const watch = createStopDetector(Date.now);
  const happens = (...actions: ContainerEvent['action'][]) => {
    for (const action of actions) watch.receive({ id, server: 'files', action, exitCode: undefined });
  };
  return { watch, happens };
}

test('one that somebody stopped stays down', async () => {
  const { watch, happens } = setUp();
  const answer = watch.staysDown(id, 0);

  happens('kill', 'die', 'stop');

  assert.ok(await later(answer));
});

test('the word of the stop may come before anybody asks', async () => {
  const { watch, happens } = setUp();

  happens('die', 'stop');

  assert.ok(await later(watch.staysDown(id, 0)));
});

test('a busy engine may take its time between asking the process and saying that it stopped', async () => {
  const { watch, happens } = setUp();
  const answer = watch.staysDown(id, 0);

  watch.receive({ id, server: 'files', action: 'kill', signal: 15, exitCode: undefined });
  happens('die');
  setTimeout(() => happens('stop'), 1600);

  assert.ok(await later(answer));
});

test('a stop that was told long before the end was noticed is still the reason', async () => {
  let now = 0;
  const watch = createStopDetector(() => now);
  watch.receive({ id, server: 'files', action: 'start', exitCode: undefined });
  watch.receive({ id, server: 'files', action: 'stop', exitCode: undefined });
  now = 5000;

  assert.ok(await later(watch.staysDown(id, 0)));
});

test('one that is stopped as soon as it runs stays down: its own start is no restart', async () => {
  const { watch, happens } = setUp();
  happens('die');
  const since = Date.now() + 1;
  mock.timers.tick(2);
  happens('start');
  const answer = watch.staysDown(id, since);

  happens('kill', 'die', 'stop');

  assert.ok(await later(answer));
});

test('one that somebody restarted before its end was noticed runs already', async () => {
  const { watch, happens } = setUp();
  happens('start', 'kill', 'die', 'stop', 'start', 'restart');

  assert.not(await later(watch.staysDown(id, 0)));
});

test('one that was killed or crashed comes back', async () => {
  const { watch, happens } = setUp();
  const startedAt = Date.now();
  const answer = watch.staysDown(id, 0);

  happens('kill', 'die');

  assert.not(await later(answer));
  assert.ok(Date.now() - startedAt < 1500);
});

test('one that is being restarted comes back, as soon as it runs', async () => {
  const { watch, happens } = setUp();
  const answer = watch.staysDown(id, 0);

  happens('kill', 'die', 'stop');
  setTimeout(() => happens('start', 'restart'), 50);

  assert.not(await later(answer));
});

test('one that was removed is wanted again', async () => {
  const { watch, happens } = setUp();
  const answer = watch.staysDown(id, 0);

  happens('kill', 'die', 'destroy');

  assert.not(await later(answer));
});

test('an engine that ends stops its containers without anybody meaning them', async () => {
  const { watch, happens } = setUp();
  const answer = watch.staysDown(id, 0);

  happens('die', 'stop');
  setTimeout(() => watch.gap(), 20);

  assert.not(await later(answer));
});

test('what we end ourselves stays down, even when we remove it', async () => {
  const { watch, happens } = setUp();

  watch.expect(id);
  happens('kill', 'die', 'destroy');

  assert.ok(await later(watch.staysDown(id, 0)));
});

test('what we ended and somebody started again is no longer ours to end', async () => {
  const { watch, happens } = setUp();
  watch.expect(id);
  happens('die', 'stop', 'start');

  const answer = watch.staysDown(id, Date.now() + 1);
  happens('die');

  assert.not(await later(answer));
});

test('events of other containers tell nothing', async () => {
  const { watch } = setUp();
  const answer = watch.staysDown(id, 0);

  watch.receive({ id: 'c2', server: 'other', action: 'stop', exitCode: undefined });

  assert.not(await later(answer));
});

const event = (action: ContainerEvent['action'], exitCode?: number): ContainerEvent => ({
  ...{ id, server: 'files', action, exitCode },
});

test('how a run ended is still known when the engine has started it again', () => {
  const watch = createStopDetector(() => 10);
  for (const each of [event('start'), event('die', 7), event('start')]) watch.receive(each);

  assert.is(watch.lastEnd(id, 5)?.exitCode, 7);
  assert.is(watch.lastEnd(id, 11), undefined);
});

test('one that is killed after it ran out of memory ended for that', () => {
  let now = 0;
  const watch = createStopDetector(() => now);
  watch.receive(event('oom'));
  now = 60_000;
  watch.receive(event('die', 137));
  assert.ok(watch.lastEnd(id, 0)?.outOfMemory);

  for (const each of [event('start'), event('die', 137)]) watch.receive(each);
  assert.not(watch.lastEnd(id, 0)?.outOfMemory);
});

test('one that ends long after a child of it ran out of memory ended for another reason', () => {
  let now = 0;
  const watch = createStopDetector(() => now);
  watch.receive(event('oom'));
  now = 1000;
  watch.receive(event('die', 1));
  assert.ok(watch.lastEnd(id, 0)?.outOfMemory);

  for (const each of [event('start'), event('oom')]) watch.receive(each);
  now = 60_000;
  watch.receive(event('die', 1));
  assert.not(watch.lastEnd(id, 0)?.outOfMemory);
});

test.run();
