import { createServer } from 'node:net';
import { suite } from 'uvu';

const test = suite('stays open');
test('passes and leaves a server listening', async () => {
  await new Promise<void>((resolve) => createServer().listen(0, '127.0.0.1', resolve));
});
test.run();
