import { suite } from 'uvu';

const test = suite('throws in after.each');
test.after.each(() => {
  throw new Error('could not tidy up');
});
test('passes', () => {});
test('comes second', () => {});
test.run();
