import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSlowCallTimer } from '../../../lib/async/slow-call-timer.ts';

const test = suite('what takes long');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('is told once, and not before its time', async () => {
  const timer = createSlowCallTimer(40);
  const begun = performance.now();
  const told: number[] = [];
  timer.add(() => told.push(performance.now() - begun));

  await pause(200);

  assert.is(told.length, 1);
  assert.ok((told[0] ?? 0) >= 39);
});

test('what is over by then is not told, whether it began early or late', async () => {
  const timer = createSlowCallTimer(40);
  let told = 0;
  const tell = () => {
    told += 1;
  };
  timer.delete(timer.add(tell));
  const later = timer.add(tell);
  await pause(50);
  timer.delete(later);

  await pause(120);

  assert.is(told, 0);
});

test('what begins while others wait has its own time', async () => {
  const timer = createSlowCallTimer(40);
  timer.add(() => {});
  await pause(30);
  const begun = performance.now();
  const waited = await new Promise<number>((resolve) => timer.add(() => resolve(performance.now() - begun)));

  assert.ok(waited >= 39);
});

test.run();
