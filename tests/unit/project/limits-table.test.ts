/** SECURITY.md, Limits: one table, each row held by tests that are there, each setting one that exists. */
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listFiles } from '../../support/source-files.ts';

const test = suite('the table of limits');

const [, section = '', ...others] = readFileSync('SECURITY.md', 'utf8').split('\n## Limits\n');
const rows = (section.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '))
  .slice(1);

test('it is one table, and no row stands in it twice', () => {
  assert.equal(others, []);
  assert.ok(rows.length > 30);
  for (const row of rows) assert.is(row.length, 5, row[0]);
  assert.is(new Set(rows.map(([what]) => what)).size, rows.length);
});

test('each row names test files that are there', () => {
  const files = listFiles();
  for (const [what = '', , , , tests = ''] of rows) {
    const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');
    assert.ok(named.length > 0, what);
    for (const name of named) {
      const path = new RegExp(`^tests/${name.replace('*', '[\\w-]+')}\\.test\\.ts$`);
      assert.ok(
        files.some((file) => path.test(file)),
        `${what}: ${name}`,
      );
    }
  }
});

test('each variable in it is a setting', () => {
  const known = readFileSync('.env.example', 'utf8');
  for (const [what = '', , , setting = ''] of rows) {
    for (const [name] of setting.matchAll(/\b[A-Z]+(_[A-Z]+)+\b/g))
      assert.ok(known.includes(`\n#${name}=`), `${what}: ${name}`);
  }
});

test.run();
