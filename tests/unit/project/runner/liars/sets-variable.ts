import { suite } from 'uvu';

const test = suite('sets a variable');
test('passes, and leaves it set', () => {
  process.env.LEFT_BY_A_TEST = 'yes';
});
test.run();
