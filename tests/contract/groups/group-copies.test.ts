/** Copies of group files in every database that can hold them: a manager that makes them, and a process that reads them. */
import { rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { databaseUnavailable, toFailure } from '../../../lib/failure.ts';
import { type CopiedGroups, createCopiedGroups } from '../../../lib/groups/copies/copied-groups.ts';
import { createGroupCopier, type GroupCopier } from '../../../lib/groups/copies/copy-groups.ts';
import type { Groups } from '../../../lib/groups/groups.ts';
import { silentLog } from '../../../lib/log.ts';
import { eachDatabase } from '../../support/each-database.ts';
import { createLinkedBuses } from '../../support/linked-buses.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createGroupFolder, flip, type GroupFolder } from '../../unit/groups/group-folder.ts';

interface World {
  readonly folder: GroupFolder;
  readonly files: Groups;
  readonly copies: CopiedGroups;
  readonly copier: GroupCopier;
  /** Between the manager and the database. */
  setAway(isAway: boolean): void;
  /** Between the process without a folder and the database. */
  setCopiesAway(isAway: boolean): void;
  /** How often the manager found the database away. */
  refusals(): number;
}

function describeCopies(test: ReturnType<typeof suite>, database: () => Database): void {
  const open: (() => Promise<void>)[] = [];

  test.after.each(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  async function createWorld(files: Readonly<Record<string, unknown>>): Promise<World> {
    const folder = await createGroupFolder();
    open.push(folder.close);
    for (const [name, content] of Object.entries(files)) await folder.write(name, content);
    const [managerBus, gatewayBus] = createLinkedBuses();
    const { groups } = await folder.open({ bus: managerBus });
    let isAway = false;
    let areCopiesAway = false;
    let refusals = 0;
    const away = async (): Promise<never> => {
      refusals += 1;
      await setImmediate();
      throw databaseUnavailable();
    };
    const copier = createGroupCopier({
      database: {
        query: (...given) => (isAway ? away() : database().query(...given)),
        transaction: (work) => (isAway ? away() : database().transaction(work)),
      },
      ...{ groups, bus: managerBus, log: silentLog, retryMs: 20, compareEveryMs: 50 },
    });
    open.push(copier.close);
    const copies = createCopiedGroups({
      database: { query: (...given) => (areCopiesAway ? away() : database().query(...given)) },
      ...{ bus: gatewayBus, log: silentLog },
    });
    open.push(copies.close);
    return {
      ...{ folder, files: groups, copies, copier },
      setAway(value) {
        isAway = value;
      },
      setCopiesAway(value) {
        areCopiesAway = value;
      },
      refusals: () => refusals,
    };
  }

  async function startWorld(files: Readonly<Record<string, unknown>> = {}): Promise<World> {
    const world = await createWorld(files);
    await world.copies.load();
    world.copier.start();
    await untilEqual(world);
    return world;
  }

  test('every group is read from its copy as from its file', async () => {
    const document = {
      ...{ name: 'ops', description: 'ü', included_tools: ['a__b'], excluded_tools: ['c__d'] },
      ...{ exposed_names: { a__b: 'b' }, former_names: ['old'], ours: { kept: [1, null] } },
    };
    const { files, copies } = await startWorld({ ops: document });

    assert.equal(copies.names(), ['default', 'ops']);
    assert.equal(copies.read('ops'), files.read('ops'));
    assert.is(copies.renamedTo('old'), 'ops');
  });

  test('edits, renames and removals arrive, those by hand too', async () => {
    const world = await startWorld({ ops: groupOf('ops') });
    const { folder, files, copies } = world;

    await files.change('ops', flip('a__b'));
    await waitUntil('the edit is there', () => copies.read('ops')?.group?.includedTools.includes('a__b'));
    await folder.write('hand', groupOf('hand'));
    await waitUntil('the new file is there', () => copies.read('hand'));
    await files.rename('ops', 'sre', async () => {});
    await waitUntil('the rename is there', () => copies.read('sre') && !copies.read('ops'));
    rmSync(folder.path('hand'));
    await waitUntil('the removal is there', () => !copies.read('hand'));

    assert.equal(copies.names(), files.names());
  });

  test('a broken file leaves its last good version in the copy, with the problem, also after both were restarted', async () => {
    const { folder, files, copies } = await startWorld({ ops: groupOf('ops', ['a__b']) });
    await folder.write('ops', '{');
    await waitUntil('the problem is there', () => copies.read('ops')?.problem);
    assert.equal(copies.read('ops'), files.read('ops'));

    const later = await createWorld({ ops: '{' });
    later.copier.start();
    await later.copies.load();
    await waitUntil('it is repaired', async () => {
      await later.copies.load();
      return later.copies.read('default');
    });
    assert.equal(later.copies.read('ops')?.group?.includedTools, ['a__b']);
    assert.ok(later.copies.read('ops')?.problem);
  });

  test('what was altered, added or lost in the table is repaired at the start', async () => {
    const { copier } = await startWorld({ one: groupOf('one'), two: groupOf('two') });
    await copier.close();
    await database().query("update group_copies set document = '{}', etag = 'other' where name = 'one'");
    await database().query("delete from group_copies where name = 'two'");
    await database().query("insert into group_copies (name, document) values ('three', '{}')");

    const { files, copies } = await startWorld({ one: groupOf('one'), two: groupOf('two') });

    assert.equal(copies.names(), ['default', 'one', 'two']);
    assert.equal(copies.read('one')?.group?.etag, files.read('one')?.group?.etag);
  });

  test('a table that is put back in place while all run is repaired, and read again', async () => {
    const world = await startWorld({ ops: groupOf('ops') });
    const older = await database().query<{ document: string; etag: string }>(
      "select document, etag from group_copies where name = 'ops'",
    );
    await world.files.change('ops', flip('a__b'));
    await untilEqual(world);

    await database().query("update group_copies set document = $1, etag = $2 where name = 'ops'", [
      older[0]?.document,
      older[0]?.etag,
    ]);
    await world.copies.load();

    await untilEqual(world);
  });

  test('edits while the manager has no database are copied once it has, each group as it is then', async () => {
    const world = await startWorld({ ops: groupOf('ops'), gone: groupOf('gone') });
    world.setAway(true);
    for (let at = 0; at < 50; at++) await world.files.change('ops', flip(`a__${at}`));
    await world.files.remove('gone');
    assert.equal(world.copies.read('ops')?.group?.includedTools, []);

    world.setAway(false);
    await untilEqual(world);

    assert.is(world.copies.read('ops')?.group?.includedTools.length, 50);
    assert.is(world.copies.read('gone'), undefined);
  });

  test('a manager that ends while the database is away does not go on trying', async () => {
    const world = await createWorld({ ops: groupOf('ops') });
    world.setAway(true);
    world.copier.start();
    const closed = world.copier.close();
    await waitUntil('it has ended, or goes on', async () => {
      if (world.refusals() > 100) world.setAway(false);
      return await Promise.race([closed.then(() => true), setImmediate(false)]);
    });

    assert.is(world.refusals(), 1);
  });

  test('a change that a process without a folder cannot read when it is told is read soon after', async () => {
    const world = await startWorld({ ops: groupOf('ops') });
    world.setCopiesAway(true);
    await world.files.change('ops', flip('a__b'));
    await waitUntil('it could not read it', () => world.refusals() > 0);
    assert.equal(world.copies.read('ops')?.group?.includedTools, []);

    world.setCopiesAway(false);

    await untilEqual(world);
  });

  test('two managers on one folder leave the last version of all in the copy', async () => {
    const world = await startWorld({ ops: groupOf('ops') });
    const [bus] = createLinkedBuses();
    const { groups } = await world.folder.open({ bus });
    const second = createGroupCopier({ database: database(), groups, bus, log: silentLog });
    open.push(second.close);
    second.start();
    const managers = [world.files, groups];

    for (let at = 0; at < 40; at++) await managers[at % 2]?.change('ops', flip(`a__${at}`));
    await waitUntil('both have copied', async () => {
      await world.copies.load();
      return world.copies.read('ops')?.group?.etag === groups.read('ops')?.group?.etag;
    });

    assert.is(world.copies.read('ops')?.group?.includedTools.length, 40);
  });

  test('copies cannot be edited, and there are none before a manager has made them', async () => {
    const { copies, copier } = await createWorld({});
    await copies.load();
    assert.not(copies.isLoaded());

    copier.start();
    await waitUntil('the first copy is there', () => copies.isLoaded());
    const refused = await copies.change('default', flip('a__b')).catch(toFailure);

    assert.match(String(refused), 'change them at the manager');
  });
}

async function untilEqual({ files, copies }: World): Promise<void> {
  const versions = (groups: Groups) => groups.names().map((name) => [name, groups.read(name)?.group?.etag]);
  await waitUntil('the copies equal the files', () => {
    return JSON.stringify(versions(copies)) === JSON.stringify(versions(files));
  });
}

function groupOf(name: string, tools: readonly string[] = []) {
  return { name, description: '', included_tools: tools };
}

for (const { test, database } of await eachDatabase({ name: 'copies of groups', table: 'group_copies' })) {
  describeCopies(test, database);
  test.run();
}
