import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kinds, readSelection } from '../../../run/find-tests.ts';
import { describeResult, sumLine, sumOf } from '../../../run/print.ts';

const test = suite('test runner, a whole run');

const runner = fileURLToPath(new URL('../../../run.ts', import.meta.url));

function run(...words: string[]): Promise<{ code: number | null; lines: string[] }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['--import', 'tsx', runner, ...words], (_error, stdout) => {
      resolve({ code: child.exitCode, lines: stdout.trimEnd().split('\n') });
    });
  });
}

test('ends with the sum alone on the last line and exit code 0', async () => {
  const { code, lines } = await run('unit', 'runner/find-tests');

  assert.is(code, 0);
  assert.match(lines.at(-1) ?? '', /^\d+ passed, 0 failed$/);
});

test('fails when no file matches', async () => {
  const { code, lines } = await run('unit', 'no-such-file-anywhere');

  assert.is(code, 1);
  assert.is(lines.at(-1), '0 passed, 1 failed');
});

test('takes words that name a kind as kinds and the rest as path filters', () => {
  assert.equal(readSelection(['contract', 'groups']), { kinds: ['contract'], filters: ['groups'] });
  assert.equal(readSelection(['groups']), {
    kinds,
    filters: ['groups'],
  });
});

test('names skipped tests in the sum only when there are some', () => {
  const none = sumOf([{ passed: 2, failed: 1, skipped: 0 }]);

  assert.is(sumLine(none), '2 passed, 1 failed');
  assert.is(sumLine(sumOf([none, { passed: 0, failed: 0, skipped: 4 }])), '2 passed, 1 failed, 4 skipped');
});

test('says loudly why a file skips', () => {
  const result = { file: 'a.test.ts', passed: 0, failed: 0, skipped: 2, problems: [], milliseconds: 5 };

  assert.match(describeResult({ ...result, output: 'postgres: skipped, no root' }), 'SKIPPED: postgres:');
  assert.match(describeResult({ ...result, output: '' }), 'no reason given');
});

test('shows what a file measured although nothing failed', () => {
  const result = { file: 'a.test.ts', passed: 1, failed: 0, skipped: 0, problems: [], milliseconds: 5 };

  assert.match(
    describeResult({ ...result, output: 'noise\nmeasured: p50 1 ms\n' }),
    /\n +measured: p50 1 ms$/,
  );
});

test.run();
