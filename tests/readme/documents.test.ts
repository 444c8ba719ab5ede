import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectDir } from '../support/service-command.ts';
import { whyNotRun } from './document-suite.ts';
import { blocksOf, commandsInTables } from './markdown-blocks.ts';
import { failureIn } from './run-command.ts';
import { splitCommands } from './split-commands.ts';

const test = suite('documents');
const here = join(projectDir, 'tests/readme');

/** Decisions are history; the others are for people of today. */
const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: projectDir, encoding: 'utf8' })
  .split('\n')
  .filter(
    (path) => path !== '' && !/^(docs\/decisions|tests)\//.test(path) && existsSync(join(projectDir, path)),
  );
const read = (path: string) => readFileSync(join(projectDir, path), 'utf8');

test('every document that prints commands has its suite here', () => {
  const suites = readdirSync(here).map((file) => readFileSync(join(here, file), 'utf8'));
  const isTried = (path: string) => suites.some((text) => text.includes(`path: '${path}'`));
  const hasCommands = (path: string) =>
    blocksOf(read(path)).some(({ language }) => /^(sh|bash|console|shell|json)$/.test(language)) ||
    commandsInTables(read(path)).length > 0;

  assert.equal(
    documents.filter((path) => hasCommands(path) && !isTried(path)),
    [],
  );
});

test('npm scripts and make targets that are named exist', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const makefile = read('Makefile');
  const unknown = documents
    .filter((path) => path !== 'CHANGELOG.md')
    .flatMap((path) => [
      ...[...read(path).matchAll(/`npm run ([\w:-]+)/g)].filter(([, name = '']) => !(name in scripts)),
      ...[...read(path).matchAll(/`make (\w+)`/g)].filter(
        ([, name]) => !new RegExp(`^${name}:`, 'm').test(makefile),
      ),
    ])
    .map(([text]) => text);
  assert.equal(unknown, []);
});

test('blocks are read with their language, line and heading, also within a list', () => {
  const markdown = '# One\n\n```sh\na\n```\n\n1. x\n\n   ```json\n   {}\n   ```\n';

  assert.equal(blocksOf(markdown), [
    { language: 'sh', text: 'a', line: 3, heading: 'One' },
    { language: 'json', text: '{}', line: 9, heading: 'One' },
  ]);
  assert.throws(() => blocksOf('```sh\na\n'), /not closed/);
});

test('a block is split as bash reads it', () => {
  const block = [
    "cat > x <<'END'",
    'echo inside',
    'END',
    '# a comment',
    'A=$(echo 1 |',
    '  cat)',
    'echo \\',
    "  'it is # no comment'   # → it is",
    "echo 'two",
    "lines'",
  ].join('\n');

  assert.equal(
    splitCommands(block).map(({ text, prints, line }) => [line, text.split('\n').length, prints]),
    [
      [0, 3, []],
      [4, 2, []],
      [6, 2, ['it is']],
      [8, 2, []],
    ],
  );
  assert.throws(() => splitCommands("echo 'open"), /to its end/);
});

test('commands in tables are those of a column `do this`', () => {
  const table =
    '| a | do this |\n|---|---|\n| `npm start` no | `npm test`, `X=1 npm start`, `ALLOWED_HOSTS` |\n';
  assert.equal(
    commandsInTables(table).map(({ text }) => text),
    ['npm test', 'X=1 npm start'],
  );
});

test('a command that is not run here says why, and where it is', () => {
  const elsewhere = { file: 'tests/stack/x.ts', holds: 'up' };

  assert.is(whyNotRun({ elsewhere }, undefined), 'it is run by tests/stack/x.ts');
  assert.is(whyNotRun({ skipped: 'by hand' }, undefined), 'by hand');
  assert.is(whyNotRun({}, 'there is no engine'), 'there is no engine');
  assert.is(whyNotRun({}, undefined), undefined);
});

test('answers that tell of a failure are known', () => {
  const failures = [
    '{"success":false,"error":"x"}',
    '{"success": false}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1}}',
    '{"result":{"isError":true}}',
  ];
  for (const text of failures) assert.ok(failureIn(text), text);
  for (const text of ['{"success":true}', '{"jsonrpc":"2.0","id":1,"result":{}}', 'plain', ''])
    assert.is(failureIn(text), undefined, text);
});

test.run();
