import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JsonProblem, parseJsonc } from '../../../lib/clients/parse-jsonc.ts';

const test = suite('JSON with comments');

test('comments and needless commas are read over, and texts that look like them are left alone', () => {
  const text = `\uFEFF// The servers of this folder.
{
  /* of the team,
     and more */
  "servers": {
    "time": { "command": "uvx", "args": ["a", "http://x//y", "/* no */", "a, ]", ], }, // trailing
  }, // and here
  "inputs": [ /* none */ ], /* , */
}
// the end`;

  assert.equal(parseJsonc(text), {
    servers: { time: { command: 'uvx', args: ['a', 'http://x//y', '/* no */', 'a, ]'] } },
    inputs: [],
  });
  assert.equal(parseJsonc('[1 /* , */, 2, /* a */ // b\n ]'), [1, 2]);
  assert.equal(parseJsonc('"\\",}"'), '",}');
});

const problems: readonly (readonly [string, string])[] = [
  ['', 'line 1, column 1: it ends where a value is expected'],
  ['{"mcpServers": {', 'line 1, column 17: it ends where a name in double quotes is expected'],
  ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: expected `,` or `}`'],
  ["{\n  'a': 1\n}", 'line 2, column 3: expected a name in double quotes'],
  ['{ // a name\n  a: 1 }', 'line 2, column 3: expected a name in double quotes'],
  ['{"a" 1}', 'line 1, column 6: expected `:`'],
  ['{"a": }', 'line 1, column 7: expected a value'],
  ['{"a": undefined}', 'line 1, column 7: expected a value'],
  ['{"a": 01}', 'line 1, column 7: expected a value'],
  ['[1, , 2]', 'line 1, column 5: expected a value'],
  ['[,]', 'line 1, column 2: expected a value'],
  ['[1}', 'line 1, column 3: expected `,` or `]`'],
  ['{"a": "x\n"}', 'line 1, column 7: this text is not closed on its line'],
  ['{"a": "C:\\Users"}', 'line 1, column 7: this text holds a `\\` or a character that JSON has not'],
  ['{} {}', 'line 1, column 4: nothing is expected behind the end'],
  ['{"a": 1 /* }', 'line 1, column 9: this comment never ends'],
  ['{"a": 1 / 2}', 'line 1, column 9: expected `,` or `}`'],
];

for (const [text, expected] of problems) {
  test(`the place of a problem is told: ${JSON.stringify(text)}`, () => {
    let problem: unknown;
    try {
      parseJsonc(text);
    } catch (error) {
      problem = error;
    }
    assert.instance(problem, JsonProblem);
    assert.is(Object(problem).message, expected);
  });
}

test('what JSON.parse takes is taken, and what it refuses has a place', () => {
  const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '1', 'null', ' ', '"b', '-'];
  let seed = 7;
  const next = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % most;
  };
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: 1 + next(9) }, () => pieces[next(pieces.length)]).join('');
    let [plain, lenient]: unknown[] = [];
    try {
      plain = { value: JSON.parse(text) };
    } catch {}
    try {
      lenient = { value: parseJsonc(text) };
    } catch (error) {
      assert.instance(error, JsonProblem, text);
    }
    if (plain !== undefined) assert.equal(lenient, plain, text);
  }
});

test('deep and long texts are refused or read, not fallen over', () => {
  assert.throws(() => parseJsonc('['.repeat(200_000)), /nests deeper/);
  assert.throws(() => parseJsonc(`["${'x'.repeat(500_000)}`), /not closed/);
  assert.throws(() => parseJsonc(`[${',/**/'.repeat(20_000)}`), /it ends where|column 2: expected a value/);
});

test.run();
