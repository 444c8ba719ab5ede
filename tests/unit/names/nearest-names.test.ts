import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nearestNames } from '../../../lib/names/nearest-names.ts';

const test = suite('nearestNames');
const known = ['files__read', 'files__write', 'files__list', 'web__fetch'];

test('finds a misspelt name, the nearest first', () => {
  assert.is(nearestNames('files__raed', known)[0], 'files__read');
});

test('finds a tool whose server was left out', () => {
  assert.equal(nearestNames('fetch', known), ['web__fetch']);
});

test('offers nothing when nothing is like it', () => {
  assert.equal(nearestNames('completely different', known), []);
  assert.equal(nearestNames('', known), []);
});

test('is quick with a long name and thousands of tools', () => {
  const many = Array.from({ length: 5000 }, (_, at) => `server__${'tool'.repeat(10)}_${at}`);
  const start = performance.now();
  nearestNames(`server__${'tool'.repeat(10)}_x`, many);
  nearestNames('y'.repeat(100_000), many);

  assert.ok(performance.now() - start < 1000);
});

test.run();
