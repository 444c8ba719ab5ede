/**
 * A replica that stands still in the middle of an edit, as a frozen container does: right after it has proved that it
 * holds the group's lock, with the new file written and not yet in place. The others get the lock, and what they
 * wrote is still there when it has woken.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { echoGroup, toggle } from '../support/database-callers.ts';
import { switchTool, toolsOf } from '../support/manager-api.ts';
import { postJson } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, everythingConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('a replica stands still while it edits');
const database = await createTestDatabase('paused');
const onPostgres = database ? test : test.skip;
const other = { ...echoGroup, name: 'other' };
let operator: pg.Client;
let proxy: PostgresProxy;
let a: RunningService;
let b: RunningService;
/** Stop A when it sends the next of these. */
let stopAt: string | undefined;

test.before(async () => {
  if (!database) return;
  operator = new pg.Client(database);
  await operator.connect();
  proxy = await startPostgresProxy(database, async (text) => {
    if (stopAt === undefined || !text.includes(stopAt)) return;
    stopAt = undefined;
    process.kill(a.pid(), 'SIGSTOP');
    await waitUntil('A stands still', isStopped);
  });
  const groups = { 'svc-global': echoGroup, other };
  a = await runService({ database: proxy.url, configs: configFiles(everythingConfig()), groups });
  b = await runService({ database, shareFoldersWith: a });
  for (const one of [a, b]) {
    await waitUntil('the server is listed', async () => (await toolsOf(one, 'everything')).length > 0);
  }
});
test.after(async () => {
  if (a) process.kill(a.pid(), 'SIGCONT');
  await b?.remove();
  await a?.remove();
  await proxy?.close();
  await operator?.end();
});

function isStopped(): boolean {
  return readFileSync(`/proc/${a.pid()}/stat`, 'latin1').split(') ').at(-1)?.startsWith('T') ?? false;
}

async function isLocked(): Promise<boolean> {
  const { rows } = await operator.query(
    `select 1 from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length > 0;
}

/** Copies of groups take the same locks for a moment: A is not to be stopped while it makes one. */
async function areCopiesMade(): Promise<boolean> {
  const { rows } = await operator.query<{ name: string; document: string }>(
    'select name, document from group_copies',
  );
  const isEqual = ({ name, document }: { name: string; document: string }) =>
    isDeepStrictEqual(JSON.parse(document), readGroupFile(name));
  return rows.length === 2 && rows.every(isEqual) && !(await isLocked());
}

function readGroupFile(name: string) {
  return JSON.parse(readFileSync(join(a.groupsDir, `${name}.json`), 'utf8'));
}

function toolsInFile(): string[] {
  return readGroupFile('svc-global').included_tools;
}

/** Stops A when it sends `at`, edits at B, wakes A. */
async function editWhileStopped(at: string, tool: string) {
  await waitUntil('all groups are copied', areCopiesMade);
  stopAt = at;
  const body = { group: 'svc-global', tool: 'everything__get-env', enabled: true };
  const edited = postJson(`${a.managerUrl}/api/tools/toggle`, body);
  // Of an answer that nobody waits for any more, because a test failed, nothing is to be said.
  edited.catch(() => {});
  await waitUntil('A stands still, holding the lock', async () => isStopped() && (await isLocked()));

  const first = await toggle(b);
  const elsewhere = await toggle(b, 'other');
  const startedAt = performance.now();
  await waitUntil('B edits the group', () => switchTool(b, 'svc-global', tool, true), { limitMs: 10_000 });
  const tookMs = performance.now() - startedAt;
  const before = toolsInFile();
  process.kill(a.pid(), 'SIGCONT');
  const { status, body: answer } = await edited;
  return { first, elsewhere, tookMs, before, status, code: answer.code, after: toolsInFile() };
}

for (const [when, at, tool] of [
  ['after it asked for the lock', 'pg_advisory_xact_lock', 'everything__get-tiny-image'],
  ['after it proved that it holds the lock', 'select 1 as held', 'everything__get-sum'],
] as const) {
  onPostgres(`stopped ${when}: B edits within 8 s, and A, woken, writes nothing over it`, async () => {
    const seen = await editWhileStopped(at, tool);

    assert.is(seen.first, '503 locked');
    assert.is(seen.elsewhere, '200');
    assert.ok(seen.tookMs < 8000, `${seen.tookMs} ms`);
    assert.ok(seen.before.includes(tool));
    assert.equal([seen.status, seen.code], [503, 'database_unavailable']);
    assert.equal(seen.after, seen.before);
    assert.is(await waitUntil('A edits again', async () => (await toggle(a, 'other')) === '200'), true);
  });
}

test.run();
