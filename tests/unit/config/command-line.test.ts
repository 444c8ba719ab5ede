import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commandLine } from '../../../lib/config/command-line.ts';

const test = suite('commandLine');

test('plain words stand as they are, and references unresolved', () => {
  assert.is(
    commandLine({ command: 'npx', args: ['-y', '@scope/server@1.2', '--a=b'] }),
    'npx -y @scope/server@1.2 --a=b',
  );
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference to a secret
  assert.is(commandLine({ command: 'run', args: ['${TOKEN}'] }), "run '${TOKEN}'");
});

test('a shell reads back exactly the words it was made of', () => {
  const words = ["it's", '', 'two words', '$(id)', '`id`', '"', '\\', 'a\nb', '*', '~', 'ü'];

  const line = commandLine({ command: 'printf', args: ['%s|', ...words] }) ?? '';

  assert.is(execFileSync('sh', ['-c', line], { encoding: 'utf8' }), words.map((word) => `${word}|`).join(''));
});

test('an image without a command of its own has none to show', () => {
  assert.is(commandLine({ command: undefined, args: [] }), undefined);
  assert.is(commandLine({ command: undefined, args: ['--http'] }), '--http');
});

test.run();
