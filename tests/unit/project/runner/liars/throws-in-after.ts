import { suite } from 'uvu';

const test = suite('throws in after');
test.after(() => {
  throw new Error('could not close');
});
test('passes', () => {});
test.run();
