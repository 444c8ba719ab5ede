/** The container store where engine and database fail: what a real engine cannot be asked to do. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerStore } from '../../../lib/containers/store/container-store.ts';
import { createContainerStore } from '../../../lib/containers/store/database-container-store.ts';
import { containerSpec } from '../../../lib/containers/store/make-container.ts';
import { silentLog } from '../../../lib/log.ts';
import { createKeeperTables } from '../../support/keeper-tables.ts';
import { createScriptedContainers, type ScriptedContainers } from '../../support/scripted-containers.ts';
import { failureOf, serverConfig } from '../../support/upstream-fixture.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('the container store, when things go wrong');
const config = serverConfig({ name: 'files', image: 'tool:1' });
const name = 'svc-mcp-files';

interface Fixture {
  readonly engine: ScriptedContainers;
  readonly containerStore: ContainerStore;
  readonly changed: string[];
  /** The rows of the table, by container. */
  readonly table: Map<string, unknown[]>;
  setDatabaseAway(isAway: boolean): void;
}

async function withKeeper(work: (fixture: Fixture) => Promise<void>): Promise<void> {
  const engine = createScriptedContainers();
  const database = createKeeperTables();
  const { containers: table } = database;
  const changed: string[] = [];
  const containerStore = createContainerStore({
    ...{ containers: engine, database, hashKey: 'key', log: silentLog },
    onStatus: (server) => changed.push(server),
    secretsOf: async () => [],
  });
  await containerStore.start();
  try {
    await work({
      ...{ engine, containerStore, changed, table },
      setDatabaseAway(away) {
        database.isAway = away;
      },
    });
  } finally {
    await containerStore.close();
  }
}

test('an image that is gone is pulled for a new container, unless the config says never', () =>
  withKeeper(async ({ engine, containerStore }) => {
    engine.images.delete('tool:1');

    const failure = await failureOf(containerStore.ensure({ ...config, pull: 'never' }));
    const isAsked = engine.images.has('tool:1');
    await containerStore.ensure(config);

    assert.is(failure.code, 'provision_failed');
    assert.match(failure.message, /The image `tool:1` is not here.*`"pull": "never"`/);
    assert.not(isAsked);
    assert.ok(engine.images.has('tool:1'));
  }));

test('a container that cannot be stored is removed again', () =>
  withKeeper(async ({ engine, containerStore, setDatabaseAway }) => {
    await containerStore.ensure({ ...config, name: 'other' });
    setDatabaseAway(true);

    assert.is((await failureOf(containerStore.ensure(config))).code, 'database_unavailable');

    assert.equal(
      engine.all().map(({ facts }) => facts.server),
      ['other'],
    );
  }));

test('a container that is known is found with the database away', () =>
  withKeeper(async ({ containerStore, setDatabaseAway }) => {
    const before = await containerStore.ensure(config);
    setDatabaseAway(true);

    assert.is((await containerStore.acquire(config)).facts.id, before.id);
  }));

test('without an engine nothing is forgotten, and all states are unknown until it is back', () =>
  withKeeper(async ({ engine, containerStore, table }) => {
    const { id } = await containerStore.ensure(config);
    engine.tell(name, 'start');
    await waitUntil('it is known', () => containerStore.status('files').status === 'created');

    engine.isAway = true;
    engine.breakEvents();
    await waitUntil('it is unknown', () => containerStore.status('files').status === 'unknown');
    assert.is(
      (await failureOf(containerStore.ensure(config))).message,
      'The container engine does not answer.',
    );
    assert.equal([...table.keys()], [id]);

    engine.isAway = false;
    engine.breakEvents();
    await waitUntil('it is known again', () => containerStore.status('files').status === 'created');
    assert.is((await containerStore.ensure(config)).id, id);
  }));

test('a container that could not be discarded is reaped later', () =>
  withKeeper(async ({ engine, containerStore, table }) => {
    const held = await containerStore.acquire(config);
    engine.isAway = true;
    await held.release('discard');
    engine.isAway = false;
    assert.is(engine.all().length, 1);

    assert.equal(await containerStore.reap(new Set()), [name]);

    assert.equal(engine.all(), []);
    assert.equal([...table.keys()], []);
  }));

test('what another owner made meanwhile is taken over, not made twice', () =>
  withKeeper(async ({ engine, containerStore, table }) => {
    const { id } = await containerStore.ensure(config);
    const row = table.get(id);
    table.clear();
    await containerStore.reap(new Set(['files']));
    if (row) table.set(id, row);

    assert.is((await containerStore.ensure(config)).id, id);
    assert.is(engine.all().length, 1);
  }));

test('what another owner has stored since is not taken for a leftover', () =>
  withKeeper(async ({ engine, containerStore, table }) => {
    const identity = { name, sessionId: undefined, configHash: 'hash' };
    const id = await engine.create(containerSpec(config, identity));
    table.set(id, [id, 'files', '', 'hash']);

    assert.equal(await containerStore.reap(new Set(['files'])), []);
  }));

test('what was removed while leftovers were looked for gets no row again', () =>
  withKeeper(async ({ engine, containerStore, table }) => {
    const { id } = await containerStore.ensure(config);
    await engine.start(id);
    const { list } = engine;
    engine.list = async () => {
      const found = await list();
      engine.list = list;
      await containerStore.remove('files');
      return found;
    };

    await containerStore.reap(new Set(['files']));

    assert.equal(engine.all(), []);
    assert.equal([...table.keys()], []);
  }));

test('rows of containers that are gone go with the reaping', () =>
  withKeeper(async ({ containerStore, table }) => {
    table.set('long-gone', ['long-gone', 'files', '', 'hash']);

    await containerStore.reap(new Set(['files']));

    assert.equal([...table.keys()], []);
  }));

test('reaping waits for the database, since only that knows what is needed', () =>
  withKeeper(async ({ engine, containerStore, setDatabaseAway }) => {
    await (await containerStore.acquire(config)).release('let-go');
    setDatabaseAway(true);

    assert.is((await failureOf(containerStore.reap(new Set()))).code, 'database_unavailable');
    assert.is(engine.all().length, 1);
  }));

test('what is left of a server that was replaced is one too many, and its name goes to the newer one', () =>
  withKeeper(async ({ engine, containerStore }) => {
    const older = await containerStore.acquire(config);
    const newer = await containerStore.acquire(config);
    await older.release('let-go');

    assert.equal(await containerStore.reap(new Set(['files'])), [name]);

    assert.equal(
      engine.all().map(({ facts }) => [facts.id, facts.name]),
      [[newer.facts.id, name]],
    );
  }));

test('a name that somebody else has taken is told, and nothing of theirs is touched', () =>
  withKeeper(async ({ engine, containerStore, table }) => {
    engine.occupy(name);

    assert.is((await failureOf(containerStore.ensure(config))).code, 'conflict');

    assert.equal(engine.calls, [`create ${name}`]);
    assert.equal([...table.keys()], []);
  }));

test('a container that we stop or remove is not to be healed', () =>
  withKeeper(async ({ engine, containerStore }) => {
    const held = await containerStore.acquire(config);
    await engine.start(held.facts.id);

    await containerStore.stop('files');
    assert.ok(await held.staysDown());
    engine.tell(name, 'start');
    await containerStore.remove('files');
    assert.ok(await held.staysDown());
  }));

test.run();
