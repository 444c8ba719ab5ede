import { spawn } from 'node:child_process';
import { suite } from 'uvu';

const test = suite('hangs');
test('starts a process and waits for it', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  console.log(`started ${child.pid}`);
  await new Promise((resolve) => child.once('exit', resolve));
});
test.run();
