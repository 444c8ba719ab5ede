import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runSteps, type Step } from '../../../lib/server/shutdown/run-steps.ts';

const test = suite('steps of an end');

async function run(steps: readonly Step[]): Promise<string[]> {
  const problems: string[] = [];
  await runSteps(steps, (step, problem) => void problems.push(`${step}: ${problem}`));
  return problems;
}

test('they run one after the other, in their order', async () => {
  const done: string[] = [];
  const step = (name: string, ms: number): Step => ({
    name,
    run: () =>
      new Promise<void>((resolve) =>
        setTimeout(() => {
          done.push(name);
          resolve();
        }, ms),
      ),
  });

  const problems = await run([
    step('slow', 20),
    step('fast', 0),
    { name: 'now', run: () => done.push('now') },
  ]);

  assert.equal(done, ['slow', 'fast', 'now']);
  assert.equal(problems, []);
});

test('one that throws, rejects or hangs keeps no other from running, and is named', async () => {
  const done: string[] = [];
  const step = (name: string, end: () => unknown): Step => ({ name, limitMs: 10, run: end });

  const problems = await run([
    step('ports', () => {
      throw new Error('no');
    }),
    step('registry', () => done.push('registry')),
    step('bus', () => Promise.reject(new Error('gone'))),
    step('servers', () => new Promise(() => {})),
    step('database', () => done.push('database')),
  ]);

  assert.equal(done, ['registry', 'database']);
  assert.equal(problems, ['ports: no', 'bus: gone', 'servers: It was not done within 10 ms.']);
});

test.run();
