/** `scripts/postgres.ts`, as a person or a CI runs it. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findBinaries } from '../../../scripts/postgres-cluster.ts';

const test = suite('scripts/postgres.ts');
const script = fileURLToPath(new URL('../../../scripts/postgres.ts', import.meta.url));

function runScript(...args: string[]) {
  return promisify(execFile)(process.execPath, ['--import', 'tsx', script, ...args]);
}

if (findBinaries()) {
  test('up prints the URL of a running server; down stops it and removes only what up made', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-mcp-script-'));
    await writeFile(join(directory, 'not-ours'), '');

    const { stdout } = await runScript('up', directory);
    const client = new pg.Client(stdout.trim());
    await client.connect();
    const { rows } = await client.query('show fsync');
    await client.end();
    await runScript('down', directory);

    assert.equal(rows, [{ fsync: 'on' }]);
    assert.not.ok(existsSync(join(directory, 'data')));
    assert.ok(existsSync(join(directory, 'not-ours')));
    const refused = await new pg.Client(stdout.trim())
      .connect()
      .catch((error: { code: string }) => error.code);
    assert.is(refused, 'ECONNREFUSED');
    await rm(directory, { recursive: true });
  });
} else {
  console.error('postgres: skipped, it is not installed');
  test.skip('Postgres is not there', () => {});
}

test('anything else is wrong usage', async () => {
  const { code, stderr } = await runScript('sideways').catch((error) => error);

  assert.is(code, 2);
  assert.match(stderr, 'up|down [dir]');
});

test.run();
