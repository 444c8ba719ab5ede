import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPatience } from '../../../lib/async/patience.ts';

const test = suite('what takes long');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('is told once, and not before its time', async () => {
  const patience = createPatience(40);
  const begun = performance.now();
  const told: number[] = [];
  patience.add(() => told.push(performance.now() - begun));

  await pause(200);

  assert.is(told.length, 1);
  assert.ok((told[0] ?? 0) >= 39);
});

test('what is over by then is not told, whether it began early or late', async () => {
  const patience = createPatience(40);
  let told = 0;
  const tell = () => {
    told += 1;
  };
  patience.delete(patience.add(tell));
  const later = patience.add(tell);
  await pause(50);
  patience.delete(later);

  await pause(120);

  assert.is(told, 0);
});

test('what begins while others wait has its own time', async () => {
  const patience = createPatience(40);
  patience.add(() => {});
  await pause(30);
  const begun = performance.now();
  const waited = await new Promise<number>((resolve) =>
    patience.add(() => resolve(performance.now() - begun)),
  );

  assert.ok(waited >= 39);
});

test.run();
