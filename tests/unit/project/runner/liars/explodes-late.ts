import { suite } from 'uvu';

const test = suite('explodes late');
test('passes, and throws when nobody looks any more', () => {
  setTimeout(() => {
    throw new Error('too late for its test');
  }, 200).unref();
});
test.run();
