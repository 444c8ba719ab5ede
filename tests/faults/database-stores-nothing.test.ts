/** Postgres that answers but stores nothing: read-only, and with a full disk (a table space on a small one of its own). */
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allServed, askEverybody, echoGroup, faultLines, openNew } from '../support/database-callers.ts';
import { manage, toolsOf } from '../support/manager-api.ts';
import { openSession, type PlainSession } from '../support/mcp-client.ts';
import { startPostgres } from '../support/postgres.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { configFiles, everythingConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('the database stores nothing');
const postgres = await startPostgres();
const disk = postgres && mountSmallDisk(32, 'postgres');
const onPostgres = postgres ? test : test.skip;
const onSmallDisk = disk ? test : test.skip;
let operator: pg.Client;
let service: RunningService;
let session: PlainSession;

test.before(async () => {
  if (!postgres) return;
  operator = new pg.Client(postgres.url);
  await operator.connect();
  if (disk) await operator.query(`create tablespace small location '${disk.path}'`);
  await operator.query(`create database stores ${disk ? 'tablespace small' : ''}`);
  const database = new URL('/stores', postgres.url).href;
  const groups = { 'svc-global': echoGroup };
  service = await runService({ database, configs: configFiles(everythingConfig()), groups });
  await waitUntil('its server is listed', async () => (await toolsOf(service, 'everything')).length > 0);
  session = await openSession(service.groupUrl());
});
test.after(async () => {
  await service?.remove();
  await operator?.end();
  await postgres?.stop('immediate');
  disk?.remove();
});

async function makeReadOnly(isReadOnly: boolean): Promise<void> {
  const change = isReadOnly
    ? 'set default_transaction_read_only = on'
    : 'reset default_transaction_read_only';
  await operator.query(`alter system ${change}`);
  await operator.query('select pg_reload_conf()');
}

/** Each of Postgres's processes hears of a setting in its own time: so many in a row. */
async function untilNewSessionsAre(outcome: string, wanted = 20): Promise<void> {
  let inARow = 0;
  const isReached = async () => {
    inARow = (await openNew(service)) === outcome ? inARow + 1 : 0;
    return inARow === wanted;
  };
  await waitUntil(`${wanted} new sessions in a row are ${outcome}`, isReached, { everyMs: 1 });
}

async function allIsWell(): Promise<void> {
  await service.ready(5000);
  await untilNewSessionsAre('200');
  assert.equal(await askEverybody(service, session), {
    openSession: '200',
    newSession: '200',
    edit: '200',
    allTools: '200',
    ready: 200,
  });
}

onPostgres(
  'read-only: sessions and edits go on, new sessions are put off, and it is found by a look',
  async () => {
    await makeReadOnly(true);
    await waitUntil(
      'it is not ready',
      async () => (await fetch(`${service.gatewayUrl}/readyz`)).status === 503,
    );
    const { reason } = await (await fetch(`${service.gatewayUrl}/readyz`)).json();
    const status = await manage(service, 'GET', '/api/status');
    await untilNewSessionsAre('503 read_only');
    const outcomes = await askEverybody(service, session);
    await makeReadOnly(false);

    assert.equal(outcomes, { ...allServed, newSession: '503 read_only', ready: 503 });
    assert.match(reason, 'read-only');
    assert.match(JSON.stringify(status), 'read-only');
    await allIsWell();
  },
);

onSmallDisk('full: the same, found by the first write that fails', async () => {
  disk?.fill();
  await waitUntil('no session has room', async () => (await openNew(service)) === '503 full');
  const outcomes = await askEverybody(service, session);
  const { reason } = await (await fetch(`${service.gatewayUrl}/readyz`)).json();
  disk?.empty();

  assert.equal(outcomes, { ...allServed, newSession: '503 full', ready: 503 });
  assert.match(reason, 'full');
  await allIsWell();
});

onPostgres('what was refused left a line with its cause, and not one for each', async () => {
  await makeReadOnly(true);
  await untilNewSessionsAre('503 read_only', 50);
  await makeReadOnly(false);
  await allIsWell();
  const lines = faultLines(service);

  assert.ok(
    lines.some(({ reason, state }) => reason === 'read_only' && state === '25006'),
    service.output(),
  );
  assert.ok(lines.length < 10, `${lines.length} lines`);
  assert.not.match(service.output(), /"stack"/);
});

test.run();
