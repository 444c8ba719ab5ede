import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Bundles, bundleTests } from '../../../run/bundle-tests.ts';
import { isAlive } from '../../../run/process-group.ts';
import type { FileResult } from '../../../run/report.ts';
import { runFile } from '../../../run/run-file.ts';

const test = suite('test runner, one file');

/** Their lies work only on the files that share their process: `shared-process.test.ts` runs them. */
const liesToOthers = [
  'explodes-late.ts',
  'leaves-process.ts',
  'sets-variable.ts',
  'tells-process.ts',
  'tells-process-again.ts',
];
const liars = readdirSync(new URL('liars', import.meta.url)).filter((file) => !liesToOthers.includes(file));
let bundles: Bundles;
const results = new Map<string, Promise<FileResult>>();

/** Two at a time: most of a run is the start of its process. All but the honest one are bundled, as in a whole run. */
test.before(async () => {
  bundles = await bundleTests(liars.map(pathOf));
  let [one, other]: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
  for (const liar of liars) {
    const result = Promise.resolve(one).then(() => start(liar));
    results.set(liar.replace('.ts', ''), result);
    [one, other] = [other, result];
  }
});

test.after(() => bundles.remove());

function pathOf(liar: string): string {
  return fileURLToPath(new URL(`liars/${liar}`, import.meta.url));
}

function start(liar: string): Promise<FileResult> {
  const file = pathOf(liar);
  const bundle = liar === 'honest.ts' ? undefined : bundles.of(file);
  const limitMs = liar === 'hangs.ts' ? 2_000 : 20_000;
  return runFile(file, { limitMs, graceMs: 300, ...(bundle && { bundle }) });
}

function run(liar: string): Promise<FileResult> {
  const result = results.get(liar);
  if (!result) throw new Error(`there is no liar ${liar}`);
  return result;
}

function assertCounts(
  result: { passed: number; failed: number; skipped: number },
  passed: number,
  failed: number,
  skipped = 0,
) {
  assert.equal(
    { passed: result.passed, failed: result.failed, skipped: result.skipped },
    { passed, failed, skipped },
  );
}

test('counts what passed and what was skipped', async () => {
  const result = await run('honest');

  assertCounts(result, 2, 0, 1);
  assert.equal(result.problems, []);
});

test('counts a failing test and shows what it said', async () => {
  const result = await run('fails');

  assertCounts(result, 1, 1);
  assert.match(result.problems.join(), 'adds wrongly');
});

test('counts every test behind a before hook that threw', async () => {
  assertCounts(await run('throws-in-before'), 0, 2);
});

test('counts an after hook that throws', async () => {
  const result = await run('throws-in-after');

  assert.is(result.failed, 1);
  assert.match(result.problems.join(), 'could not close');
});

test('counts tests that a throwing after.each hook took down', async () => {
  assertCounts(await run('throws-in-after-each'), 0, 2);
});

test('counts a file that forgot test.run()', async () => {
  const result = await run('never-runs');

  assertCounts(result, 0, 1);
  assert.match(result.problems.join(), 'no tests');
});

test('counts a file whose suite is empty', async () => {
  assertCounts(await run('empty'), 0, 1);
});

test('counts an exit before the end, whatever its code', async () => {
  const result = await run('exits-early');

  assertCounts(result, 0, 1);
  assert.match(result.problems.join(), 'exit code 0');
});

test('counts a rejection nobody handled', async () => {
  const result = await run('rejects-unseen');

  assert.ok(result.failed > 0);
  assert.match(result.output, 'nobody waits for me');
});

test('counts a test whose promise never settles', async () => {
  assertCounts(await run('never-settles'), 0, 1);
});

test('ends a hung file at its limit, with the processes it started', async () => {
  const result = await run('hangs');

  assertCounts(result, 0, 1);
  const started = Number(/started (\d+)/.exec(result.output)?.[1]);
  assert.not(isAlive(started));
});

test('counts a file that cannot exit after its last test', async () => {
  const result = await run('stays-open');

  assertCounts(result, 1, 1);
  assert.match(result.problems.join(), 'still open');
});

test('counts a file that does not load', async () => {
  const result = await run('does-not-load');

  assertCounts(result, 0, 1);
  assert.match(result.output, 'broken at import');
});

test('counts an exit code that no test accounts for', async () => {
  assertCounts(await run('exits-badly'), 1, 1);
});

test.run();
