import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLate } from '../../../lib/async/late.ts';

const test = suite('a late value');

test('those who waited and those who ask afterwards get the first value', async () => {
  const late = createLate<string>();
  const waiting = late.promise;
  assert.is(late.current(), undefined);

  late.set('first');
  late.set('second');

  assert.is(late.current(), 'first');
  assert.is(await waiting, 'first');
  assert.is(await late.promise, 'first');
});

test.run();
