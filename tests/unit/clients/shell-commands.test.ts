import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { shellCommands } from '../../../lib/clients/shell-commands.ts';

const test = suite('commands of a shell');

const reference = (name: string) => `\${${name}}`;

test('blanks separate words; quotes and backslashes keep together', () => {
  for (const [line, words] of [
    ['a  b\tc', ['a', 'b', 'c']],
    [`a 'b c' "d e"f g\\ h`, ['a', 'b c', 'd ef', 'g h']],
    [`a '' ""`, ['a', '', '']],
    [`'it'\\''s' "say \\"x\\" \\\\ \\n"`, ["it's", 'say "x" \\ \\n']],
    ['--a="b c"=d', ['--a=b c=d']],
    [`'open quote`, ['open quote']],
    ['a#b c # d e', ['a#b', 'c']],
    ['-e KEY=<your key> b', ['-e', 'KEY=<your key>', 'b']],
  ] as const) {
    assert.equal(shellCommands(line), [words], line);
  }
});

test('lines go on behind a backslash, a backtick or a caret', () => {
  for (const end of ['\\\n', '\\\r\n', '`\n', '^\r\n']) {
    assert.equal(shellCommands(`docker run ${end}  -i ${end} image`), [['docker', 'run', '-i', 'image']]);
  }
});

test('operators and lines end commands', () => {
  assert.equal(shellCommands('docker pull x && docker run x; a | b\nc > out\n\n'), [
    ['docker', 'pull', 'x'],
    ['docker', 'run', 'x'],
    ['a'],
    ['b'],
    ['c'],
    ['out'],
  ]);
});

test('variables become references, unless in single quotes; what a shell would run stays as it is', () => {
  assert.equal(shellCommands(`a $KEY "x-\${KEY:-none}-\\$KEY" '$KEY' $(pwd)/x "$(id -u)" \`date\` $5`), [
    ['a', reference('KEY'), `x-${reference('KEY')}-$KEY`, '$KEY', '$(pwd)/x', '$(id -u)', '`date`', '$5'],
  ]);
});

test('a text that is too long holds none', () => {
  assert.equal(shellCommands('a '.repeat(40_000)), []);
  assert.is(shellCommands(`"${'x\\'.repeat(30_000)}`).length, 1);
});

test.run();
