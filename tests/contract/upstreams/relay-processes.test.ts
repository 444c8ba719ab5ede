/** Which process takes the calls of others, over every database that can hold it. */
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { databaseUnavailable } from '../../../lib/failure.ts';
import { silentLog } from '../../../lib/log.ts';
import { createRelayProcesses, type RelayProcesses } from '../../../lib/upstreams/relay/relay-processes.ts';
import { eachDatabase } from '../../support/each-database.ts';
import { waitUntil } from '../../support/wait-until.ts';

function describeRelay(test: ReturnType<typeof suite>, database: () => Database): void {
  const open: RelayProcesses[] = [];

  test.after.each(async () => {
    for (const processes of open.splice(0)) await processes.end();
  });

  function create(processId: string, options: { leaseMs?: number; isAway?: () => boolean } = {}) {
    const { leaseMs = 60_000, isAway = () => false } = options;
    const processes = createRelayProcesses({
      ...{ processId, leaseMs, heartbeatMs: 20, url: `http://${processId}`, token: `token of ${processId}` },
      database: {
        query: (...given) => (isAway() ? Promise.reject(databaseUnavailable()) : database().query(...given)),
      },
      log: silentLog,
    });
    open.push(processes);
    return processes;
  }

  test('nobody at first; then the one that began first, for every caller, until it ends', async () => {
    const [one, two, caller] = [create('one'), create('two'), create('caller')];
    assert.is(await caller.current(), undefined);

    await one.start();
    await two.start();
    assert.equal(await caller.current(), { url: 'http://one', token: 'token of one' });

    await one.end();
    assert.equal(await caller.current(), { url: 'http://two', token: 'token of two' });
  });

  test('the next start of an installation takes the place of one that was killed, with a token of its own', async () => {
    let isKilled = false;
    await create('one', { isAway: () => isKilled }).start();
    isKilled = true;
    const next = createRelayProcesses({
      ...{ processId: 'one', url: 'http://next', token: 'next token', database: database(), log: silentLog },
    });
    open.push(next);
    await next.start();

    await waitUntil('it is found', async () => (await next.current())?.token === 'next token');
    assert.is((await database().query('select 1 from relay_processes')).length, 1);
  });

  test('one that starts again after its time was over comes behind those that are there; one that was cut off does not', async () => {
    let isAway = false;
    const [one, two] = [create('one', { leaseMs: 200, isAway: () => isAway }), create('two')];
    await one.start();
    await two.start();
    isAway = true;
    await waitUntil('two is found', async () => (await two.current())?.url === 'http://two');
    isAway = false;
    await waitUntil('one is found again', async () => (await two.current())?.url === 'http://one');

    isAway = true;
    await waitUntil('two is found', async () => (await two.current())?.url === 'http://two');
    const next = createRelayProcesses({
      ...{ processId: 'one', url: 'http://one', token: 'next', database: database(), log: silentLog },
    });
    open.push(next);
    await next.start();

    assert.is((await two.current())?.url, 'http://two');
  });

  test('one that no longer beats is passed over, and found again once it does', async () => {
    let isAway = false;
    const one = create('one', { leaseMs: 300, isAway: () => isAway });
    await one.start();
    const caller = create('caller');

    isAway = true;
    await waitUntil('it is passed over', async () => (await caller.current()) === undefined);
    isAway = false;
    await waitUntil('it is found', async () => (await caller.current()) !== undefined);
  });
}

for (const { test, database } of await eachDatabase({
  name: 'processes that take calls',
  table: 'relay_processes',
})) {
  describeRelay(test, database);
  test.run();
}
