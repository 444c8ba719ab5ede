/** Who looks after the containers: processes that share a database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ContainerOwner, createContainerOwner } from '../../lib/containers/container-owner.ts';
import { readDeploymentId } from '../../lib/containers/deployment-id.ts';
import type { Database } from '../../lib/database/database.ts';
import { migrate } from '../../lib/database/migrate.ts';
import { readMigrations } from '../../lib/database/node-migrations.ts';
import { openDatabase } from '../../lib/database/node-open-database.ts';
import { databaseUnavailable } from '../../lib/http/failure.ts';
import { silentLog } from '../../lib/observe/log.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('the owner of the containers');

const directory = mkdtempSync(join(tmpdir(), 'svc-owner-'));
const heartbeatMs = 40;
const leaseMs = 200;
let database: Database;
let isAway = false;
const owners: (ContainerOwner & { changes: boolean[] })[] = [];

test.before(async () => {
  database = await openDatabase({ kind: 'pglite', directory }, { log: silentLog });
  await migrate(database, await readMigrations());
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

/** A process of that name, with a database that may be away. */
function createOwner(processId: string) {
  const changes: boolean[] = [];
  const query: Database['query'] = (...given) =>
    isAway ? Promise.reject(databaseUnavailable()) : database.query(...given);
  const owner = createContainerOwner({
    ...{ processId, heartbeatMs, leaseMs },
    url: `http://${processId}`,
    token: `token of ${processId}`,
    database: { query },
    onChange: (isOwner) => changes.push(isOwner),
    log: silentLog,
  });
  owners.push({ ...owner, changes });
  return { ...owner, changes };
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

test('one deployment has one id, whoever asks first', async () => {
  const ids = await Promise.all(['a', 'b', 'c'].map((id) => readDeploymentId(database, () => id)));

  assert.is(new Set(ids).size, 1);
  assert.is(await readDeploymentId(database, () => 'd'), ids[0]);
});

test.run();
