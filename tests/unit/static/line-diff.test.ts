import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { definitionLines, rawLines } from '../../../static/review-change/definition-lines.js';
import { changedPart, diffLines, folded } from '../../../static/review-change/line-diff.js';

const test = suite('before and after of a definition');

const signs = { same: ' ', removed: '-', added: '+' };

/** One character for a line. */
function diff(before: string, after: string): string {
  return diffLines([...before], [...after])
    .map(({ kind, text }) => `${signs[kind]}${text}`)
    .join('');
}

test('lines that stayed, went and came are told apart', () => {
  assert.is(diff('abc', 'abc'), ' a b c');
  assert.is(diff('abc', 'axc'), ' a-b+x c');
  assert.is(diff('abcd', 'bcde'), '-a b c d+e');
  assert.is(diff('', 'ab'), '+a+b');
  assert.is(diff('ab', ''), '-a-b');
  assert.is(diff('aba', 'aa'), ' a-b a');
  assert.is(diff('abcabba', 'cbabac').replaceAll(/\+./g, '').replaceAll(/[- ]/g, ''), 'abcabba');
});

test('very many lines are compared within bounds', () => {
  const lines = (prefix: string) => Array.from({ length: 5_000 }, (_, at) => `${prefix}${at}`);
  const before = performance.now();
  const found = diffLines(['first', ...lines('a')], ['first', ...lines('b')]);

  assert.equal([found.length, found[0]], [10_001, { kind: 'same', text: 'first' }]);
  assert.ok(performance.now() - before < 5_000);
});

test('what is far from any change is folded', () => {
  const shown = folded(diffLines([...'abcdefghij'], [...'abcdeXghij']), 1);

  assert.equal(
    shown.map((line) => ('text' in line ? line.text : line.count)),
    [4, 'e', 'f', 'X', 'g', 3],
  );
});

test('of a line that was replaced the part that differs is told', () => {
  assert.equal(changedPart('reads a file', 'reads and sends a file'), {
    head: 'reads a',
    changed: '',
    tail: ' file',
  });
  assert.equal(changedPart('reads and sends a file', 'reads a file'), {
    head: 'reads a',
    changed: 'nd sends a',
    tail: ' file',
  });
  assert.equal(changedPart('a😀b', 'a😁b'), { head: 'a', changed: '😀', tail: 'b' });
  assert.equal(changedPart('aa', 'aaa'), { head: 'aa', changed: '', tail: '' });
});

test('a definition is indented, and long descriptions have lines of their own', () => {
  assert.equal(definitionLines('{"name":"x","description":"one\\ntwo \\\\n same"}'), [
    '{',
    '  "name": "x",',
    '  "description": "one\\n',
    '    two \\\\n same"',
    '}',
  ]);
});

test('what cannot be seen is written out', () => {
  const hidden = 'a\u202eb\u200bc\u00a0d\u{e0041}e\u3164f\ufe0f\u00ad g';
  const [line] = definitionLines(JSON.stringify(hidden));

  assert.is(line, '"a\\u202eb\\u200bc\\u00a0d\\u{e0041}e\\u3164f\\ufe0f\\u00ad g"');
  assert.equal(rawLines('{"a":\t1}\r\n'), ['{"a":\\u00091}\\u000d', '']);
});

test('a text that is no JSON is shown as it is', () => {
  assert.equal(definitionLines('{'), ['{']);
});

test.run();
