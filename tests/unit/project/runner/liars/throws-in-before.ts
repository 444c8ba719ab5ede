import { suite } from 'uvu';

const test = suite('throws in before');
test.before(() => {
  throw new Error('no database');
});
test('never runs', () => {});
test('never runs either', () => {});
test.run();
