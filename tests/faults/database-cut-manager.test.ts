/** A manager that is cut from its Postgres goes on following the files; the copies for others equal them soon after. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startFolderlessGateway, untilReady } from '../conformance/replicas.ts';
import { manage } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, everythingConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('a manager is cut from its Postgres');
const database = await createTestDatabase('cut_manager');
const onPostgres = database ? test : test.skip;
const groups = Array.from({ length: 10 }, (_, at) => `team-${at}`);
const limitMs = 5_000;
let proxy: PostgresProxy;
let manager: RunningService;
let gateway: RunningService;

test.before(async () => {
  if (!database) return;
  proxy = await startPostgresProxy(database);
  manager = await runService({
    database: proxy.url,
    configs: configFiles(everythingConfig()),
    groups: Object.fromEntries(groups.map((name) => [name, groupOf(name, 0)])),
    env: { ROLES: 'manager' },
    readyMs: 0,
  });
  await untilReady(manager.managerUrl);
  gateway = await startFolderlessGateway(manager, { database });
});
test.after(async () => {
  await gateway?.remove();
  await manager?.remove();
  await proxy?.close();
});

const tools = [
  'echo',
  'get-sum',
  'get-env',
  'get-tiny-image',
  'get-annotated-message',
  'gzip-file-as-resource',
];

/** Each version has one tool more than the one before. */
function toolsOf(version: number): string[] {
  return tools.slice(0, version).map((name) => `everything__${name}`);
}

function groupOf(name: string, version: number) {
  return { name, description: '', included_tools: toolsOf(version) };
}

function shownByManager(): Promise<number[]> {
  const count = async (name: string) =>
    (await manage(manager, 'GET', `/api/current?group=${name}`)).tools.length;
  return Promise.all(groups.map(count));
}

async function untilGatewayShows(version: number): Promise<void> {
  const areEqual = async () =>
    (await Promise.all(groups.map(toolsAtGateway))).every((count) => count === version);
  await waitUntil('the copies equal the files', areEqual, { limitMs });
}

/** Replaced whole, as editors save. */
function save(name: string, version: number): void {
  writeFileSync(join(manager.groupsDir, `${name}.json`), JSON.stringify(groupOf(name, version)));
}

async function toolsAtGateway(name: string): Promise<number> {
  const { body } = await (await openSession(gateway.groupUrl(name))).request('tools/list');
  return body.result.tools.length;
}

onPostgres('fifty edits of files meanwhile are at the gateway within 5 s after', async () => {
  proxy.cut();
  for (let version = 1; version <= 5; version++) {
    for (const name of groups) save(name, version);
    const isRead = async () => (await shownByManager()).every((count) => count === toolsOf(version).length);
    await waitUntil(`the manager has read version ${version}`, isRead);
  }
  assert.equal([...new Set(await Promise.all(groups.map(toolsAtGateway)))], [0]);

  proxy.mend();
  const mendedAt = performance.now();
  await untilGatewayShows(5);

  console.log(`equal ${Math.round(performance.now() - mendedAt)} ms after the database was back`);
});

onPostgres('one that was killed meanwhile repairs the copies when it starts again', async () => {
  proxy.cut();
  for (const name of groups) save(name, 6);
  await manager.kill9();
  proxy.mend();
  await manager.restart();
  await untilReady(manager.managerUrl);

  await untilGatewayShows(6);
});

test.run();
