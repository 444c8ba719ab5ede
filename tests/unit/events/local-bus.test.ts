import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { createRecordingLog } from '../../support/recording-log.ts';

const test = suite('local bus');

test('every subscriber hears at once, before publish returns', () => {
  const bus = createLocalBus(createRecordingLog());
  const heard: unknown[] = [];
  bus.subscribe((busMessage, origin) => heard.push(['first', busMessage.name, origin]));
  bus.subscribe((busMessage, origin) => heard.push(['second', busMessage.name, origin]));

  bus.publish({ type: 'group', name: 'g' });

  assert.equal(heard, [
    ['first', 'g', 'local'],
    ['second', 'g', 'local'],
  ]);
});

test('a subscriber that throws is logged and neither publisher nor others notice', () => {
  const { log, logged } = createRecordingLog();
  const bus = createLocalBus({ log });
  const heard: string[] = [];
  bus.subscribe(() => {
    throw new Error('broken subscriber');
  });
  bus.subscribe(({ name }) => heard.push(name));

  bus.publish({ type: 'tools', name: 's' });

  assert.equal(heard, ['s']);
  return nextTurn().then(() => assert.is(logged.length, 1));
});

test('a subscriber that rejects later is logged and does not end the process', async () => {
  const { log, logged } = createRecordingLog();
  const bus = createLocalBus({ log });
  bus.subscribe(async () => {
    await nextTurn();
    throw new Error('broken later');
  });

  bus.publish({ type: 'tools', name: 's' });
  await nextTurn();
  await nextTurn();

  assert.equal(
    logged.map(({ level }) => level),
    ['error'],
  );
});

test('a subscriber that left hears nothing, and one that leaves while it hears disturbs nobody', () => {
  const bus = createLocalBus(createRecordingLog());
  const heard: string[] = [];
  const leave = bus.subscribe(({ name }) => {
    heard.push(`once ${name}`);
    leave();
  });
  bus.subscribe(({ name }) => heard.push(`always ${name}`));

  bus.publish({ type: 'group', name: 'a' });
  bus.publish({ type: 'group', name: 'b' });

  assert.equal(heard, ['once a', 'always a', 'always b']);
});

test('a gap is told to those who asked for it until they leave', () => {
  const bus = createLocalBus(createRecordingLog());
  let gaps = 0;
  const leave = bus.onGap(() => {
    gaps += 1;
  });

  bus.reportGap();
  leave();
  bus.reportGap();

  assert.is(gaps, 1);
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test.run();
