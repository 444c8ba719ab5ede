import { transform } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withoutComments } from '../../../lib/server/page/page-source.ts';
import { listFiles, readText } from '../../support/source-files.ts';

const test = suite('withoutComments');

test('comments with lines of their own go, and every line keeps its number', () => {
  const source = [
    '// one',
    'a();',
    '  // two',
    '  /**',
    '   * three',
    '   */',
    'b();',
    '/* four */',
    '',
  ].join('\n');

  assert.equal(withoutComments(source).split('\n'), ['', 'a();', '', '', '', '', 'b();', '', '']);
});

test('a comment beside code stays with it', () => {
  const source = [
    'a(); // one',
    '/** @type {any} */ (window).b();',
    'c(/* two */);',
    'const d = /** @type {any} */ (',
    '  e',
    '); /* three */',
  ].join('\n');

  assert.is(withoutComments(source), source);
});

test('a cast at the start of a line does not take the lines up to the next comment along', () => {
  const source = ['/** @type {any} */ (a).b();', 'c();', '/* one */', ''].join('\n');

  assert.is(withoutComments(source), ['/** @type {any} */ (a).b();', 'c();', '', ''].join('\n'));
});

test('every file of the page means the same without its comments', async () => {
  const paths = listFiles().filter((path) => /^static\/.*\.(js|css)$/.test(path));
  assert.ok(paths.length > 0);
  const meaning = async (text: string, loader: 'js' | 'css') =>
    (await transform(text, { loader, minifyWhitespace: true, legalComments: 'none' })).code;

  for (const path of paths) {
    const text = readText(path);
    const loader = path.endsWith('.css') ? 'css' : 'js';
    const [before, after] = [await meaning(text, loader), await meaning(withoutComments(text), loader)];
    assert.is(after, before, path);
    assert.is(withoutComments(text).split('\n').length, text.split('\n').length, path);
  }
});

test.run();
