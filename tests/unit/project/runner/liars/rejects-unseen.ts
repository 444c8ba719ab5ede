import { suite } from 'uvu';

const test = suite('rejects unseen');
test('passes and leaves a rejection behind', () => {
  void Promise.reject(new Error('nobody waits for me'));
});
test.run();
