import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pause, unlessAborted, withTimeout } from '../../../lib/async/wait.ts';

const test = suite('waiting');

const messageOf = (promise: Promise<unknown>) =>
  promise.then(String, (error: unknown) => (error as Error).message);

test('a promise that rejects after its signal was aborted leaves no unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const collect = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', collect);
  const late = () => pause(5).then(() => Promise.reject(new Error('too late')));

  assert.is(await messageOf(unlessAborted(late(), AbortSignal.abort(new Error('given up')))), 'given up');
  const controller = new AbortController();
  const waiting = unlessAborted(late(), controller.signal);
  controller.abort(new Error('given up later'));
  assert.is(await messageOf(waiting), 'given up later');
  await pause(20);
  process.off('unhandledRejection', collect);

  assert.equal(unhandled, []);
});

test('a time-out answers with its own outcome, which may be an error', async () => {
  const never = new Promise<string>(() => {});

  assert.is(await withTimeout(Promise.resolve('in time'), 1000, () => 'late'), 'in time');
  assert.is(await withTimeout(never, 5, () => 'late'), 'late');
  const failing = withTimeout(never, 5, () => {
    throw new Error('it took too long');
  });
  assert.is(await messageOf(failing), 'it took too long');
});

test.run();
