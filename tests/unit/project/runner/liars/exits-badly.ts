import { suite } from 'uvu';

const test = suite('exits badly');
test('passes, but sets an exit code', () => {
  process.exitCode = 3;
});
test.run();
