import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runCommand } from '../../support/run-command.ts';
import { plainEnvironment, projectDir, testNode } from '../../support/service-command.ts';

/** The launcher as a real process, without a service: the output after a typing error, or before the service is started. */
const test = suite('bin/svc-mcp.js');
const directory = mkdtempSync(join(tmpdir(), 'gateway-bin-'));

test.after(() => rmSync(directory, { recursive: true }));

function gateway(args: readonly string[], cwd = projectDir) {
  const env = { ...plainEnvironment(), DATA_DIR: directory };
  return runCommand(testNode, [join(projectDir, 'bin/svc-mcp.js'), ...args], { cwd, env, limitMs: 10_000 });
}

function assertNoStack(text: string): void {
  assert.not.match(text, /\n\s+at |node:internal|\.ts:\d/);
}

test('runs the TypeScript sources from any folder', async () => {
  const { code, stdout, stderr } = await gateway(['--help'], directory);

  assert.is(code, 0);
  assert.is(stderr, '');
  assert.match(stdout, `${projectDir}bin/svc-mcp.js [options]`);
});

test('exits 2 for wrong usage, with something to read and no stack', async () => {
  const { code, stderr } = await gateway([]);

  assert.is(code, 2);
  assertNoStack(stderr);
});

test('an endless device ends quickly with a sentence', async () => {
  const { code, stderr } = await gateway(['register', '-c', '/dev/zero']);

  assert.is(code, 1);
  assert.is(stderr, '/dev/zero is not a regular file; save the JSON in a file first.\n');
});

test('`-` is standard input, of which no more is read than a file may hold', async () => {
  const env = { ...plainEnvironment(), DATA_DIR: directory };
  const withInput = (input: string) =>
    runCommand('sh', ['-c', `${input} "$0" bin/svc-mcp.js register -c -`, testNode], {
      cwd: projectDir,
      env,
    });

  const endless = await withInput('</dev/zero');
  const list = await withInput("printf '[]' |");
  const config = await withInput(`printf '{"name":"x","transport":"stdio","command":"a"}' |`);

  assert.match(endless.stderr, /^Standard input is larger than 4 MiB/);
  assert.match(list.stderr, /^Standard input must hold one JSON object/);
  assert.match(config.stderr, 'npm start');
});

test('without a service it says how to start one', async () => {
  writeFileSync(join(directory, 'c.json'), '{"name":"x","transport":"stdio","command":"a"}');

  const { code, stderr } = await gateway(['register', '-c', join(directory, 'c.json')]);

  assert.is(code, 1);
  assert.match(stderr, 'npm start');
  assertNoStack(stderr);
});

test('settings come from `.env` in the working directory', async () => {
  writeFileSync(join(directory, '.env'), 'DATA_DIR=elsewhere\n');
  const env = plainEnvironment();

  const { stderr } = await runCommand(testNode, [join(projectDir, 'bin/svc-mcp.js'), 'list', 'servers'], {
    cwd: directory,
    env,
  });

  assert.match(stderr, 'elsewhere/admin.sock');
});

test('a reader that leaves early is no failure', async () => {
  const { code, stderr } = await runCommand(
    'bash',
    ['-c', `set -o pipefail; "${testNode}" bin/svc-mcp.js --help | true`],
    { cwd: projectDir, env: plainEnvironment() },
  );

  assert.is(code, 0);
  assert.is(stderr, '');
});

test.run();
