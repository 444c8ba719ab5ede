import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createBatcher } from '../../../lib/async/batch.ts';

const test = suite('batcher');

function openBatcher(fail: (items: readonly string[]) => Error | undefined = () => undefined) {
  const written: (readonly string[])[] = [];
  const add = createBatcher<string>({
    async write(items) {
      await new Promise((resolve) => setImmediate(resolve));
      const error = fail(items);
      if (error) throw error;
      written.push(items);
    },
    mostItems: 3,
    mostWaiting: 4,
    refuse: () => new Error('busy'),
    isGeneral: (error) => error instanceof Error && error.message === 'away',
  });
  return { add, written };
}

function outcomes(promises: readonly Promise<void>[]): Promise<string[]> {
  return Promise.all(
    promises.map((promise) =>
      promise.then(
        () => 'written',
        (error: Error) => error.message,
      ),
    ),
  );
}

test('a lone item is written at once', async () => {
  const { add, written } = openBatcher();

  await add('a');

  assert.equal(written, [['a']]);
});

test('items that come during a write go together, in order and within the limit', async () => {
  const { add, written } = openBatcher();

  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(add));

  assert.equal(written, [['a'], ['b', 'c', 'd'], ['e']]);
});

test('an item counts as written only when its own write is done', async () => {
  const { add, written } = openBatcher();
  add('a');

  await add('b');

  assert.equal(written, [['a'], ['b']]);
});

test('one bad item fails alone and its neighbours are written', async () => {
  const { add } = openBatcher((items) => (items.includes('bad') ? new Error('refused') : undefined));

  const results = await outcomes(['a', 'b', 'bad', 'c'].map(add));

  assert.equal(results, ['written', 'written', 'refused', 'written']);
});

test('an error that meets everyone fails everyone who waits, without another attempt', async () => {
  let writes = 0;
  const { add } = openBatcher(() => {
    writes += 1;
    return new Error('away');
  });

  const results = await outcomes(['a', 'b', 'c', 'd', 'e'].map(add));

  assert.equal(results, ['away', 'away', 'away', 'away', 'away']);
  assert.is(writes, 1);
});

test('works again after it failed', async () => {
  let isAway = true;
  const { add, written } = openBatcher(() => (isAway ? new Error('away') : undefined));
  await add('a').catch(() => {});
  isAway = false;

  await add('b');

  assert.equal(written, [['b']]);
});

test('items beyond the most that may wait are refused, and those that wait are written', async () => {
  const { add } = openBatcher();

  const told = await outcomes(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(add));

  assert.equal(told, ['written', 'written', 'written', 'written', 'written', 'busy', 'busy']);
});

test.run();
