import { suite } from 'uvu';

const test = suite('never runs');
test('is forgotten', () => {
  throw new Error('never seen');
});
