/**
 * A database that is not there yet is waited for; one that goes away, by a crash or by hanging, takes nothing from
 * live sessions, and new ones are told when to come again.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toggle } from '../support/database-callers.ts';
import { toolsOf } from '../support/manager-api.ts';
import { openSession, type PlainSession, postJson } from '../support/mcp-client.ts';
import { startPostgres } from '../support/postgres.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, everythingConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('the database is away');
const postgres = await startPostgres();
const onPostgres = postgres ? test : test.skip;
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
let service: RunningService;
let session: PlainSession;

test.after(async () => {
  await service?.remove();
  await postgres?.stop('immediate');
});

onPostgres('absent at the start: it waits, says so, and is ready within 10 s of its coming', async () => {
  const database = await postgres?.createDatabase('late');
  await postgres?.stop();
  const groups = { 'svc-global': { name: 'svc-global', included_tools: ['everything__echo'] } };
  service = await runService({ database, configs: configFiles(everythingConfig()), groups, readyMs: 0 });

  const notReady = await waitUntil('it says why', async () => {
    const answer = await fetch(`${service.gatewayUrl}/readyz`);
    const { reason } = await answer.json();
    // Before that it may say that it has just begun.
    return /database/.test(reason) && { status: answer.status, reason };
  });
  // `/readyz` asks the database itself; the listing says what the first try of the start came to, once it has ended.
  const refused = await waitUntil('the listing says why', async () => {
    const answer = await fetch(`${service.gatewayUrl}/api/v0/tools`);
    const { error } = await answer.json();
    return error.startsWith('The database is not reachable') && { status: answer.status };
  });
  await new Promise((resolve) => setTimeout(resolve, 5000));

  assert.ok(service.isRunning(), service.output());
  assert.is(notReady.status, 503);
  assert.match(notReady.reason, /database/);
  assert.is(refused.status, 503);
  assert.is((await fetch(`${service.gatewayUrl}/healthz`)).status, 200);
  assert.is((await postJson(service.groupUrl(), initialize)).status, 503);

  await postgres?.start();
  await service.ready(10_000);
  await waitUntil('its server is listed', async () => (await toolsOf(service, 'everything')).length > 0);
  session = await openSession(service.groupUrl());
});

onPostgres(
  'crashed: live sessions list and call, new ones are put off, and it is back within 5 s',
  async () => {
    await assertServesWhileAway(
      () => postgres?.stop('immediate'),
      () => postgres?.start(),
    );
  },
);

onPostgres('hanging: the same', async () => {
  await assertServesWhileAway(
    () => postgres?.pause(),
    () => postgres?.resume(),
  );
});

onPostgres('a session that ended before the database went away stays ended', async () => {
  const ended = await openSession(service.groupUrl());
  assert.is(await ended.delete(), 204);

  await postgres?.stop('immediate');
  const { status } = await ended.request('tools/list');
  await postgres?.start();

  assert.ok(status === 404 || status === 503, `${status}`);
  await service.ready(5000);
  assert.is((await ended.request('tools/list')).status, 404);
});

async function assertServesWhileAway(leave: () => unknown, comeBack: () => unknown): Promise<void> {
  await leave();
  try {
    for (let turn = 0; turn < 10; turn += 1) await assertServes();
    const refused = await postJson(service.groupUrl(), initialize);
    await assertServes();

    assert.is(refused.status, 503);
    assert.is(refused.body.error.data.code, 'database_unavailable');
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.not.match(refused.text, /127\.0\.0\.1|postgres:\/\/|ECONN/);
    assert.match(refused.body.error.data.reason, /^(away|timed_out)$/);
    assert.match(await toggle(service), /^503 (away|timed_out)$/);
    assert.is((await fetch(`${service.gatewayUrl}/readyz`)).status, 503);
    assert.is((await fetch(`${service.gatewayUrl}/api/v0/tools`)).status, 200);
  } finally {
    await comeBack();
  }
  await waitUntil('new sessions are taken again', () => openSession(service.groupUrl()), { limitMs: 5000 });
  await service.ready(5000);
  await assertServes();
  assert.is(await toggle(service), '200');
}

/** From memory: no time for a statement to time out. */
async function assertServes(): Promise<void> {
  const startedAt = performance.now();
  const listed = await session.request('tools/list');
  const params = { name: 'everything__echo', arguments: { message: 'still' } };
  const called = await session.request('tools/call', params);
  const tookMs = performance.now() - startedAt;

  assert.equal(
    listed.body.result.tools.map(({ name }: { name: string }) => name),
    ['everything__echo'],
  );
  assert.equal(called.body.result.content, [{ type: 'text', text: 'Echo: still' }]);
  assert.ok(tookMs < 1000, `${tookMs} ms`);
}

test.run();
