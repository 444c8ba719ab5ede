/** Who looks after the containers: processes that share a database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ContainerOwner, createContainerOwner } from '../../../lib/container-host/container-owner.ts';
import type { Database } from '../../../lib/database/database.ts';
import { readContainersDeployment, readDeploymentId } from '../../../lib/database/deployment-id.ts';
import { databaseUnavailable } from '../../../lib/failure.ts';
import { silentLog } from '../../../lib/log.ts';
import { openEmbeddedDatabase } from '../../support/embedded-database.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('the owner of the containers');

const directory = mkdtempSync(join(scratchFolder(), 'svc-owner-'));
const heartbeatMs = 40;
const leaseMs = 600;
let database: Database;
let isAway = false;
const owners: (ContainerOwner & { changes: boolean[] })[] = [];

test.before(async () => {
  database = await openEmbeddedDatabase(directory);
});
test.after.each(async () => {
  isAway = false;
  await Promise.all(owners.splice(0).map((owner) => owner.close()));
  await database.query('delete from container_owner');
});
test.after(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

/**
 * A process of that name, with a database that may be away, and a clock that only the test moves. While it sleeps it is
 * told nothing; then it finds that time has gone by.
 */
function createOwner(processId: string) {
  const changes: boolean[] = [];
  let waking: Promise<void> | undefined;
  let clock = 0;
  const query: Database['query'] = async (...given) => {
    await waking;
    return isAway ? Promise.reject(databaseUnavailable()) : await database.query(...given);
  };
  const owner = createContainerOwner({
    ...{ processId, heartbeatMs, leaseMs },
    url: `http://${processId}`,
    token: `token of ${processId}`,
    database: { query },
    now: () => clock,
    onChange: (isOwner) => changes.push(isOwner),
    log: silentLog,
  });
  owners.push({ ...owner, changes });

  function sleep(): () => void {
    let wake = () => {};
    waking = new Promise((resolve) => {
      wake = resolve;
    });
    return () => {
      clock += leaseMs;
      waking = undefined;
      wake();
    };
  }

  /** Time goes by, and it notices. */
  function stayAwake(ms: number): void {
    for (let past = 0; past < ms; past += heartbeatMs) {
      clock += heartbeatMs;
      owner.isOwner();
    }
  }
  return { ...owner, changes, sleep, stayAwake };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('the first process owns them, the second knows how to reach it', async () => {
  const [one, two] = [createOwner('one'), createOwner('two')];
  await one.start();
  await two.start();

  assert.equal([one.isOwner(), two.isOwner()], [true, false]);
  assert.equal(await two.current(), { processId: 'one', url: 'http://one', token: 'token of one' });
  assert.equal([one.changes, two.changes], [[true], []]);
});

test('of ten that start at once, one owns them', async () => {
  const ten = Array.from({ length: 10 }, (_, index) => createOwner(`p${index}`));
  await Promise.all(ten.map((owner) => owner.start()));

  assert.is(ten.filter((owner) => owner.isOwner()).length, 1);
});

test('an owner that lives keeps them', async () => {
  const [one, two] = [createOwner('one'), createOwner('two')];
  await one.start();
  await two.start();

  await pause(leaseMs * 2);

  assert.equal([one.isOwner(), two.isOwner()], [true, false]);
});

test('an owner that ends in order gives them up at once', async () => {
  const [one, two] = [createOwner('one'), createOwner('two')];
  await one.start();
  await two.start();

  await one.close();

  assert.is.not((await two.current())?.processId, 'one');
  await waitUntil('the other has taken over', () => two.isOwner(), { limitMs: leaseMs });
});

test('an owner that died is followed by another once its lease has expired', async () => {
  const dead = `insert into container_owner values (true, 'dead', 'http://dead', 't', now() + interval '0.2 seconds')`;
  await database.query(dead);
  const two = createOwner('two');
  await two.start();
  assert.not(two.isOwner());

  await waitUntil('the other has taken over', () => two.isOwner());

  assert.is((await two.current())?.processId, 'two');
});

test('the same installation takes over from its dead self without waiting', async () => {
  await database.query(
    `insert into container_owner values (true, 'one', 'http://old', 'old', now() + interval '1 hour')`,
  );
  const one = createOwner('one');
  await one.start();

  assert.ok(one.isOwner());
  assert.is((await one.current())?.token, 'token of one');
});

test('an outage of the database changes nothing, though all leases expire in it', async () => {
  const [one, two] = [createOwner('one'), createOwner('two')];
  await one.start();
  await two.start();

  isAway = true;
  await pause(leaseMs * 2);
  assert.ok(one.isOwner());
  isAway = false;
  await pause(leaseMs);

  assert.equal([one.isOwner(), two.isOwner()], [true, false]);
  assert.equal(two.changes, []);
});

test('a process that slept while another took over is not the owner from the moment it wakes', async () => {
  const [one, two] = [createOwner('one'), createOwner('two')];
  await one.start();
  await two.start();
  const wake = one.sleep();
  await waitUntil('the other has taken over', () => two.isOwner());

  wake();

  assert.not(one.isOwner(), 'before it has asked');
  assert.not(await one.confirm());
  assert.equal(one.changes, [true, false]);
  assert.ok(await two.confirm());
});

test('a process that slept and whose lease nobody took is the owner again once it has asked', async () => {
  const one = createOwner('one');
  await one.start();
  const wake = one.sleep();

  wake();

  assert.not(one.isOwner(), 'before it has asked');
  assert.ok(await one.confirm());
  assert.ok(one.isOwner());
  assert.equal(one.changes, [true]);
});

test('a process that slept is not the owner while it cannot ask', async () => {
  const one = createOwner('one');
  await one.start();
  const wake = one.sleep();

  isAway = true;
  wake();

  assert.not(await one.confirm());
  isAway = false;
  await waitUntil('it has asked', () => one.isOwner());
});

test('during an outage of the database the owner that was awake goes on', async () => {
  const one = createOwner('one');
  await one.start();
  isAway = true;

  one.stayAwake(leaseMs * 2);

  assert.ok(one.isOwner());
  assert.ok(await one.confirm());
});

test('one deployment has one id, whoever asks first', async () => {
  const ids = await Promise.all(['a', 'b', 'c'].map((id) => readDeploymentId(database, () => id)));

  assert.is(new Set(ids).size, 1);
  assert.is(await readDeploymentId(database, () => 'd'), ids[0]);
});

test('containers carry the deployment’s id, or that of an earlier database of the installation', async () => {
  const id = await readDeploymentId(database, () => 'unused');
  const read = (left: string | undefined) =>
    readContainersDeployment(
      database,
      () => 'unused',
      async () => left,
    );

  assert.is(await read(undefined), id);
  assert.is(await read('of-before'), id);
  await database.query('update deployment set containers_id = null');
  assert.is(await read('of-before'), 'of-before');
  assert.is(await read(undefined), 'of-before');
  assert.is(await readDeploymentId(database, () => 'unused'), id);
});

test.run();
