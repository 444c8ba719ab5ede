/** `docs/protocol.md` says which test holds which rule; whoever renames one changes the table. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectDir } from '../../../support/service-command.ts';

const test = suite('the table of rules');
const document = readFileSync(join(projectDir, 'docs/protocol.md'), 'utf8');
const rows = document.split('\n').filter((line) => line.startsWith('| ') && line.includes('`tests/'));

/** A path in back-quotes, and what is quoted behind it until the next one. */
function references(text: string): { path: string; quotes: string[] }[] {
  return [...text.matchAll(/`((?:tests|lib|handlers|docs)\/[^`]+)`([^`]*)/g)].map(
    ([, path = '', after = '']) => ({
      path,
      quotes: [...after.matchAll(/"([^"]+)"/g)].map(([, quote = '']) => quote),
    }),
  );
}

function read(path: string): string {
  return readFileSync(join(projectDir, path), 'utf8');
}

test('every file it names is there', () => {
  const missing = references(document).filter(({ path }) => !existsSync(join(projectDir, path)));

  assert.equal(missing, []);
});

test('every quoted text stands in the test it is said to be in', () => {
  const missing = references(document).flatMap(({ path, quotes }) =>
    quotes.filter((quote) => !read(path).includes(quote)).map((quote) => `${path}: ${quote}`),
  );

  assert.equal(missing, []);
});

test('every rule names where it lives, and a test by its name', () => {
  const loose = rows.filter((row) => {
    const found = references(row);
    const isLeased = found.some(({ path, quotes }) => path.startsWith('tests/') && quotes.length > 0);
    return !isLeased || found.every(({ path }) => path.startsWith('tests/'));
  });

  assert.ok(rows.length > 50, `${rows.length} rows`);
  assert.equal(loose, []);
});

test('no rule of the revisions that we speak is left out', () => {
  const named = new Set(rows.flatMap((row) => row.split('|')[1]?.match(/\d+(?!\.)/g) ?? []));
  const numbers = Array.from({ length: 53 }, (_, at) => String(at + 1));

  assert.equal(
    numbers.filter((number) => !named.has(number)),
    [],
  );
});

test.run();
