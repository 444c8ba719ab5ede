/** The embedded database on a full disk: what is in memory goes on, and all is well once there is room again. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allServed, askEverybody, echoGroup, faultLines, openNew } from '../support/database-callers.ts';
import { toolsOf } from '../support/manager-api.ts';
import { openSession, type PlainSession } from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { configFiles, everythingConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('the embedded database has no room');
const disk = mountSmallDisk(80);
const onSmallDisk = disk ? test : test.skip;
let service: RunningService;
let session: PlainSession;

test.before(async () => {
  if (!disk) return;
  const groups = { 'svc-global': echoGroup };
  service = await runService({
    database: 'embedded',
    configs: configFiles(everythingConfig()),
    groups,
    env: { DATA_DIR: join(disk.path, 'data') },
  });
  await waitUntil('its server is listed', async () => (await toolsOf(service, 'everything')).length > 0);
  session = await openSession(service.groupUrl());
});
test.after(async () => {
  await service?.remove();
  disk?.remove();
});

onSmallDisk('full: sessions and edits go on, new sessions are put off, until there is room', async () => {
  disk?.fill();
  await waitUntil('no session has room', async () => (await openNew(service)) === '503 full');
  const outcomes = await askEverybody(service, session);
  disk?.empty();

  assert.equal(outcomes, { ...allServed, newSession: '503 full', ready: 503 });
  assert.ok(faultLines(service).some(({ reason, state }) => reason === 'full' && state === '53100'));
  await service.ready(5000);
  assert.is(await openNew(service), '200');
});

onSmallDisk('what was stored is still there after a restart', async () => {
  await service.restart();

  assert.is((await session.request('tools/list')).status, 200);
});

test.run();
