/** A container store whose process ceased to be the owner while it slept: the containers are another's by then. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOwnedContainers } from '../../../lib/container-host/owned-containers.ts';
import { createContainerStore } from '../../../lib/containers/store/database-container-store.ts';
import { silentLog } from '../../../lib/log.ts';
import { createKeeperTables } from '../../support/keeper-tables.ts';
import { createScriptedContainers } from '../../support/scripted-containers.ts';
import { failureOf, serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('containers of a process that may not be their owner any more');
const config = serverConfig({ name: 'files', image: 'tool:1' });

/** A container store with one container that a connection leases, and one that is not needed. */
async function sleeper() {
  const engine = createScriptedContainers();
  const state = { isOwner: true };
  const containers = createOwnedContainers(engine, async () => state.isOwner);
  const containerStore = createContainerStore({
    ...{ containers, hashKey: 'key', log: silentLog, onStatus() {}, secretsOf: async () => [] },
    database: createKeeperTables(),
  });
  await containerStore.start();
  const held = await containerStore.acquire(config);
  await containers.start(held.facts.id);
  await containerStore.ensure(serverConfig({ name: 'spare', image: 'tool:1' }));
  engine.calls.length = 0;
  return { engine, containers, containerStore, held, state };
}

test('the owner touches them', async () => {
  const { engine, containerStore, held } = await sleeper();

  await held.release('stop');
  await containerStore.remove('spare');

  assert.equal(engine.calls, ['stop svc-mcp-files', 'stop svc-mcp-spare', 'remove svc-mcp-spare']);
  await containerStore.close();
});

test('who is not the owner any more touches none, whatever was under way', async () => {
  const { engine, containers, containerStore, held, state } = await sleeper();
  const { id } = held.facts;
  state.isOwner = false;

  const refusals = [
    () => containers.start(id),
    () => containers.attach(id),
    () => containers.keepRunning(id),
    () => containerStore.stop('spare'),
    () => containerStore.remove('spare'),
    () => containerStore.acquire(serverConfig({ name: 'third', image: 'tool:1' })),
    () => containerStore.acquire(serverConfig({ name: 'spare', image: 'tool:1', args: ['--changed'] })),
  ];
  for (const act of refusals) assert.match((await failureOf(act())).message, 'Another manager');
  await held.release('stop');
  await held.release('discard');

  assert.equal(engine.calls, []);
  assert.is(engine.all().length, 2);
  await containerStore.close();
});

test('it goes on looking at them', async () => {
  const { engine, containerStore, state } = await sleeper();
  state.isOwner = false;

  engine.named('svc-mcp-files').exit(1);
  engine.breakEvents();
  await new Promise((resolve) => setImmediate(resolve));

  assert.is(containerStore.status('files').status, 'exited');
  await containerStore.close();
});

test.run();
