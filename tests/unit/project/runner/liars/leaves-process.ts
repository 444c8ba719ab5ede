import { spawn } from 'node:child_process';
import { suite } from 'uvu';

const test = suite('leaves a process');
test('passes, and lets its child live on', () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  console.log(`started ${child.pid}`);
  child.unref();
});
test.run();
