import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLimiter } from '../../../lib/async/limiter.ts';
import { createMutex } from '../../../lib/async/mutex.ts';
import { createUndoStack } from '../../../lib/async/undo-stack.ts';
import { createNameLocks } from '../../../lib/registry/name-locks.ts';

const test = suite('order of work');

const never = () => new Promise<void>(() => {});
const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test('work in turn keeps its order, and a failure stops no other', async () => {
  const mutex = createMutex();
  const done: string[] = [];

  const first = mutex(async () => {
    await after(10);
    done.push('first');
    throw new Error('on purpose');
  });
  const second = mutex(async () => done.push('second'));

  assert.is(await first.catch((error: Error) => error.message), 'on purpose');
  await second;
  assert.equal(done, ['first', 'second']);
});

test('a name that is busy refuses people and lets the service wait', async () => {
  const ended: string[] = [];
  const locks = createNameLocks((name) => ended.push(name));
  const done: string[] = [];
  const first = locks.exclusive('a', async () => {
    await after(10);
    done.push('exclusive');
  });

  const refused = await locks.exclusive('a', async () => {}).catch((error) => error.code);
  const waited = locks.run('a', async () => void done.push('in turn'));
  assert.ok(locks.isBusy('a'));
  await Promise.all([first, waited]);

  assert.is(refused, 'conflict');
  assert.equal(done, ['exclusive', 'in turn']);
  assert.not(locks.isBusy('a'));
  assert.equal(ended, ['a']);
});

test("the service's own work on a name does not refuse people", async () => {
  const locks = createNameLocks();
  const background = locks.run('a', () => after(10));

  assert.is(await locks.exclusive('a', async () => 'done'), 'done');
  await background;
});

test('only so many starts run at once', async () => {
  const starts = createLimiter({ places: 2, timeoutMs: 1_000 });
  let running = 0;
  let most = 0;

  await Promise.all(
    Array.from({ length: 6 }, () =>
      starts(async () => {
        most = Math.max(most, ++running);
        await after(5);
        running--;
      }),
    ),
  );

  assert.is(most, 2);
});

test('a start that takes long gives its place away, and a failed one at once', async () => {
  const starts = createLimiter({ places: 1, timeoutMs: 20 });
  void starts(never);
  void starts(async () => {
    throw new Error('on purpose');
  }).catch(() => {});

  assert.is(await starts(async () => 'started'), 'started');
});

test('steps are taken back in reverse order, all of them', async () => {
  const undo = createUndoStack();
  const done: string[] = [];
  const failed: string[] = [];
  undo.push(async () => void done.push('first'));
  undo.push(async () => {
    throw new Error('second');
  });
  undo.push(async () => void done.push('third'));

  await undo.run((error) => failed.push((error as Error).message));

  assert.equal(done, ['third', 'first']);
  assert.equal(failed, ['second']);
});

test.run();
