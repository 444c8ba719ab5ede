/** Several files in one process: each is judged as in a process of its own, and finds it as the first one did. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Bundles, bundleTests } from '../../../run/bundle-tests.ts';
import { isAlive } from '../../../run/process-group.ts';
import type { FileResult } from '../../../run/report.ts';
import { createSharedProcess, type RunFileOptions } from '../../../run/run-file.ts';

const test = suite('test runner, files that share a process');

const liars = readdirSync(new URL('liars', import.meta.url)).map((file) => file.replace('.ts', ''));
let bundles: Bundles;

test.before(async () => {
  bundles = await bundleTests(liars.map(pathOf));
});
test.after(() => bundles.remove());

function optionsOf(liar: string): RunFileOptions {
  const bundle = bundles.of(pathOf(liar));
  return { limitMs: 20_000, ...(bundle && { bundle }) };
}

function pathOf(liar: string): string {
  return fileURLToPath(new URL(`liars/${liar}.ts`, import.meta.url));
}

/** Runs them one after another; the results by their files, in the order in which they came. */
async function runAll(...liars: string[]): Promise<[string, FileResult][]> {
  const shared = createSharedProcess();
  const results: FileResult[] = [];
  for (const liar of liars) {
    const limitMs = liar === 'hangs' ? 700 : 20_000;
    results.push(...(await shared.run(pathOf(liar), { ...optionsOf(liar), limitMs, graceMs: 300 })));
  }
  results.push(...(await shared.end()));
  return results.map((result) => [/([\w-]+)\.ts/.exec(result.file)?.[1] ?? '', result]);
}

const countsOf = (results: [string, FileResult][]) =>
  results.map(([name, { passed, failed, skipped }]) => [name, passed, failed, skipped]);
const processesOf = (results: [string, FileResult][]) =>
  results.flatMap(([, { output }]) => /in process (\d+)/.exec(output)?.[1] ?? []);

test('files that leave nothing behind share one process, and each keeps its own counts and output', async () => {
  const results = await runAll('tells-process', 'honest', 'fails', 'tells-process-again');

  assert.equal(countsOf(results), [
    ['tells-process', 1, 0, 0],
    ['honest', 2, 0, 1],
    ['fails', 1, 1, 0],
    ['tells-process-again', 1, 0, 0],
  ]);
  const [one, other] = processesOf(results);
  assert.is(one, other);
  assert.not.match(results[1]?.[1].output ?? '', 'in process');
  assert.match(results[2]?.[1].problems.join() ?? '', /ran in the same process: .*honest/);
});

test('a file that ends the process is counted, and the next one gets another', async () => {
  const results = await runAll('tells-process', 'exits-early', 'does-not-load', 'tells-process-again');

  assert.equal(countsOf(results), [
    ['tells-process', 1, 0, 0],
    ['exits-early', 0, 1, 0],
    ['does-not-load', 0, 1, 0],
    ['tells-process-again', 1, 0, 0],
  ]);
  const [one, other] = processesOf(results);
  assert.is.not(one, other);
});

test('a file that never settles, hangs or stays open is counted behind an honest one', async () => {
  const results = await runAll('honest', 'never-settles', 'tells-process', 'hangs', 'fails', 'stays-open');

  assert.equal(countsOf(results), [
    ['honest', 2, 0, 1],
    ['never-settles', 0, 1, 0],
    ['tells-process', 1, 0, 0],
    ['hangs', 0, 1, 0],
    ['fails', 1, 1, 0],
    ['stays-open', 1, 1, 0],
  ]);
  assert.match(results[3]?.[1].problems.join() ?? '', 'over its time limit');
  assert.match(results[5]?.[1].problems.join() ?? '', 'still open');
});

test('a process in which something is left takes no further file', async () => {
  const results = await runAll('tells-process', 'sets-variable', 'tells-process-again', 'exits-badly');

  const [one, other] = processesOf(results);
  assert.is.not(one, other);
  assert.equal(countsOf(results).at(-1), ['exits-badly', 1, 1, 0]);
});

test('a child that a file leaves behind is ended, and said in its output', async () => {
  const results = await runAll('tells-process', 'leaves-process', 'tells-process-again');

  const output = results[1]?.[1].output ?? '';
  assert.match(output, 'outlived');
  assert.not(isAlive(Number(/started (\d+)/.exec(output)?.[1])));
  const [one, other] = processesOf(results);
  assert.is.not(one, other);
});

test('what throws after its file is through fails the run, with the names of all files that it may be from', async () => {
  const shared = createSharedProcess();
  const [result] = await shared.run(pathOf('explodes-late'), optionsOf('explodes-late'));
  await new Promise((resolve) => setTimeout(resolve, 600));
  const [late, next] = await shared.run(pathOf('honest'), optionsOf('honest'));
  const end = await shared.end();

  assert.is(result?.failed, 0);
  assert.is(late?.failed, 1);
  assert.match(late?.problems.join() ?? '', 'explodes-late');
  assert.match(late?.output ?? '', 'too late for its test');
  assert.equal([next?.passed, end], [2, []]);
});

test.run();
