/** The network between the service and its Postgres: every connection is reset, and no new one is made for a while. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allServed, askEverybody, echoGroup, faultLines, openNew } from '../support/database-callers.ts';
import { toolsOf } from '../support/manager-api.ts';
import { openSession, type PlainSession } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, everythingConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('the database is cut off');
const database = await createTestDatabase('cut');
const onPostgres = database ? test : test.skip;
let proxy: PostgresProxy;
let service: RunningService;
let session: PlainSession;

test.before(async () => {
  if (!database) return;
  proxy = await startPostgresProxy(database);
  const groups = { 'svc-global': echoGroup };
  service = await runService({ database: proxy.url, configs: configFiles(everythingConfig()), groups });
  await waitUntil('its server is listed', async () => (await toolsOf(service, 'everything')).length > 0);
  session = await openSession(service.groupUrl());
});
test.after(async () => {
  await service?.remove();
  await proxy?.close();
});

onPostgres(
  'open sessions go on, everything that needs it is put off, and all is well within 5 s of its return',
  async () => {
    proxy.cut();
    const outcomes = await askEverybody(service, session);
    const again = await askEverybody(service, session);
    proxy.mend();

    for (const one of [outcomes, again]) {
      assert.equal(one, { ...allServed, newSession: '503 away', edit: '503 away', ready: 503 });
    }
    await service.ready(5000);
    const well = await askEverybody(service, session);
    assert.equal(well, { openSession: '200', newSession: '200', edit: '200', allTools: '200', ready: 200 });
  },
);

onPostgres(
  'a hundred refused requests leave a few lines with the cause, without a stack or an address with a password',
  async () => {
    const before = faultLines(service).length;
    proxy.cut();
    const refused = await Promise.all(Array.from({ length: 100 }, () => openNew(service)));
    proxy.mend();
    await service.ready(5000);
    const lines = faultLines(service).slice(before);

    assert.equal([...new Set(refused)], ['503 away']);
    assert.ok(lines.length <= 3, `${lines.length} lines`);
    assert.ok(faultLines(service).some((line) => 'cause' in line && !('stack' in line)));
    assert.not.match(service.output(), 'postgres://');
  },
);

test.run();
