/** Somebody else holds a lock in Postgres: on a table, on a group, or because they migrate it. */
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allServed, askEverybody, echoGroup, openNew, toggle } from '../support/database-callers.ts';
import { toolsOf } from '../support/manager-api.ts';
import { openSession, type PlainSession } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, everythingConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('somebody holds a lock in the database');
const database = await createTestDatabase('locked');
const onPostgres = database ? test : test.skip;
const migrationLock = 3_701_001;
let holder: pg.Client;
let service: RunningService;
let session: PlainSession;

test.before(async () => {
  if (!database) return;
  holder = new pg.Client(database);
  await holder.connect();
});
test.after(async () => {
  await service?.remove();
  await holder?.end();
});

/** Ours that wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await holder.query(
    "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows[0].waiting;
}

onPostgres('another process migrates: the start waits as long as it takes, and says for what', async () => {
  await holder.query(`select pg_advisory_lock(${migrationLock})`);
  const groups = { 'svc-global': echoGroup };
  const configs = configFiles(everythingConfig());
  service = await runService({ database: database ?? '', configs, groups, readyMs: 0 });
  const sayings = await waitUntil('it says for what it waits', async () => {
    const answers = await Promise.all(
      [service.gatewayUrl, service.managerUrl].map((url) => fetch(`${url}/readyz`)),
    );
    const reasons = await Promise.all(answers.map(async (answer) => (await answer.json()).reason));
    return (
      reasons.every((reason) => /migrated by another process/.test(reason)) &&
      answers.map(({ status }) => status)
    );
  });
  // Longer than any statement of ours may take.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const stillWaits = await waiting();
  const putOff = [await openNew(service), await toggle(service)];
  await holder.query(`select pg_advisory_unlock(${migrationLock})`);
  await service.ready(30_000);

  assert.equal(sayings, [503, 503]);
  assert.equal(putOff, ['503 starting', '503 starting']);
  assert.is(stillWaits, 1, 'the one that waited first');
  assert.match(service.output(), /another process migrates the database/);
  assert.match(service.output(), /"count":\d+,"migrations":\["0001-start"/);
  await waitUntil('its server is listed', async () => (await toolsOf(service, 'everything')).length > 0);
  session = await openSession(service.groupUrl());
});

onPostgres(
  'a locked table: who needs it is put off within 3 s, nobody else notices, nothing goes on waiting',
  async () => {
    await holder.query('begin; lock table sessions');
    const startedAt = performance.now();
    const outcomes = await askEverybody(service, session);
    const tookMs = performance.now() - startedAt;
    await waitUntil('nothing waits', async () => (await waiting()) === 0);
    await holder.query('rollback');

    assert.equal(outcomes, { ...allServed, newSession: '503 locked' });
    assert.ok(tookMs < 5000, `${tookMs} ms`);
    await waitUntil('new sessions are taken', () => openSession(service.groupUrl()), { limitMs: 3000 });
  },
);

onPostgres("a group's lock: edits of that group alone are put off, and leave nothing waiting", async () => {
  await holder.query("begin; select pg_advisory_xact_lock(hashtext('group:svc-global'))");
  const outcomes = await askEverybody(service, session);
  const burst = await Promise.all(Array.from({ length: 20 }, () => toggle(service)));
  await waitUntil('nothing waits', async () => (await waiting()) === 0);
  await holder.query('rollback');

  assert.equal(outcomes, { ...allServed, edit: '503 locked' });
  assert.equal([...new Set(burst)], ['503 locked']);
  assert.is(await toggle(service), '200');
});

test.run();
