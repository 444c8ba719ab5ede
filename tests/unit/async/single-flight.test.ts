import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSingleFlightReads } from '../../../lib/async/single-flight.ts';

const test = suite('single flight reads');

/** Reads that the test answers one by one. */
function openReads() {
  const asked: ((row: string) => void)[] = [];
  const kept: string[] = [];
  const reads = createSingleFlightReads({
    read: () => new Promise<string>((resolve) => asked.push(resolve)),
    apply(id, row) {
      kept.push(`${id}=${row}`);
      return row;
    },
  });
  return { reads, asked, kept };
}

test('callers at the same time share one read, later ones read again', async () => {
  const { reads, asked } = openReads();
  const both = [reads.read('a'), reads.read('a')];
  asked[0]?.('first');

  assert.equal(await Promise.all(both), ['first', 'first']);
  assert.is(asked.length, 1);
  reads.read('a');
  assert.is(asked.length, 2);
});

test('an invalidation during a read makes it read again, and the stale row is not cached', async () => {
  const { reads, asked, kept } = openReads();
  const result = reads.read('a');

  reads.invalidate('a');
  asked[0]?.('outdated');
  await nextTurn();
  asked[1]?.('current');

  assert.is(await result, 'current');
  assert.equal(kept, ['a=current']);
});

test('an invalidation of another id changes nothing; missed messages invalidate all', async () => {
  const { reads, asked, kept } = openReads();
  const result = reads.read('a');

  reads.invalidate('b');
  asked[0]?.('row');
  assert.is(await result, 'row');

  const again = reads.read('a');
  reads.invalidateAll();
  asked[1]?.('outdated');
  await nextTurn();
  asked[2]?.('current');

  assert.is(await again, 'current');
  assert.equal(kept, ['a=row', 'a=current']);
});

test('a read that fails fails all who share it, and the next one tries again', async () => {
  let attempts = 0;
  const reads = createSingleFlightReads({
    async read() {
      attempts += 1;
      if (attempts === 1) throw new Error('away');
      return 'row';
    },
    apply: (_id, row) => row,
  });

  const failed = await Promise.allSettled([reads.read('a'), reads.read('a')]);

  assert.equal(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.is(await reads.read('a'), 'row');
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test.run();
