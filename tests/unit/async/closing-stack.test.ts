import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClosingStack } from '../../../lib/async/closing-stack.ts';

const test = suite('closing stack');

function createStack() {
  const problems: string[] = [];
  const closing = createClosingStack((name, problem) => void problems.push(`${name}: ${problem}`));
  return { closing, problems };
}

test('steps run one after the other, the last added first', async () => {
  const done: string[] = [];
  const { closing, problems } = createStack();
  const slow = () => new Promise((resolve) => setTimeout(resolve, 20)).then(() => done.push('slow'));

  closing.add('first', () => done.push('first'));
  closing.add('fast', () => done.push('fast'));
  closing.add('slow', slow);
  await closing.closeAll();

  assert.equal(done, ['slow', 'fast', 'first']);
  assert.equal(problems, []);
});

test('a step that throws, rejects or hangs keeps no other from running, and is named', async () => {
  const done: string[] = [];
  const { closing, problems } = createStack();

  closing.add('database', () => done.push('database'));
  closing.add('servers', () => new Promise(() => {}), { limitMs: 10 });
  closing.add('bus', () => Promise.reject(new Error('gone')));
  closing.add('registry', () => done.push('registry'));
  closing.add('ports', () => {
    throw new Error('no');
  });
  await closing.closeAll();

  assert.equal(done, ['registry', 'database']);
  assert.equal(problems, ['ports: no', 'bus: gone', 'servers: It was not done within 10 ms.']);
});

test('what is added while the stack closes is closed as well, and nothing is closed twice', async () => {
  const done: string[] = [];
  const { closing } = createStack();

  closing.add('database', () => done.push('database'));
  closing.add('ports', () => {
    done.push('ports');
    closing.add('late', () => done.push('late'));
  });
  await closing.closeAll();
  await closing.closeAll();

  assert.equal(done, ['ports', 'late', 'database']);
});

test.run();
