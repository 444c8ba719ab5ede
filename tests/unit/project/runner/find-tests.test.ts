import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findTests } from '../../../run/find-tests.ts';

const test = suite<{ dir: string }>('finding test files');

test.before((state) => {
  state.dir = mkdtempSync(join(tmpdir(), 'find-tests-'));
  mkdirSync(join(state.dir, 'unit/deep/deeper'), { recursive: true });
  for (const name of ['b.test.ts', 'deep/deeper/a.test.ts', 'deep/helper.ts']) {
    writeFileSync(join(state.dir, 'unit', name), '');
  }
});

test.after(({ dir }) => rmSync(dir, { recursive: true }));

test('finds test files at any depth, and only those', ({ dir }) => {
  assert.equal(findTests(dir, 'unit', []), [
    join(dir, 'unit/b.test.ts'),
    join(dir, 'unit/deep/deeper/a.test.ts'),
  ]);
});

test('takes only paths that hold a filter', ({ dir }) => {
  assert.equal(findTests(dir, 'unit', ['deeper/']), [join(dir, 'unit/deep/deeper/a.test.ts')]);
});

test('finds nothing where the folder is missing', ({ dir }) => {
  assert.equal(findTests(dir, 'contract', []), []);
});

test.run();
