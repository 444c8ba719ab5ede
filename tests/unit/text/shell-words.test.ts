import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { shellVariable, shellWords } from '../../../lib/text/shell-words.ts';

const test = suite('words for a shell');
const odd = ['plain', '', 'a b', "it's", '$HOME', '`id`', '"', '\\', 'a\nb', '~', '*', 'ä;b&'];

test('a shell takes the line apart into the same words', () => {
  const { stdout } = spawnSync('/bin/sh', ['-c', `printf '%s\\0' ${shellWords(odd)}`], { encoding: 'utf8' });

  assert.equal(stdout.split('\0').slice(0, -1), odd);
});

test('a variable reaches the command behind it', () => {
  for (const value of odd) {
    const line = `${shellVariable('NAMED', value)} printenv NAMED`;
    assert.is(spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8' }).stdout, `${value}\n`);
  }
});

test('what needs no quotes has none', () => {
  assert.is(shellWords(['node', '/opt/gateway/bin/svc-mcp.js']), 'node /opt/gateway/bin/svc-mcp.js');
});

test.run();
