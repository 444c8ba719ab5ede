import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { createLocalBus, type LocalBus } from '../../../lib/events/local-bus.ts';
import { databaseUnavailable } from '../../../lib/failure.ts';
import type { Definitions } from '../../../lib/groups/definitions/approval-rows.ts';
import { createApprovals, type DatabaseApprovals } from '../../../lib/groups/definitions/approvals.ts';
import { silentLog } from '../../../lib/log.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** What acceptance promises on every database. */
export function describeAcceptance(test: Test, database: () => Database): void {
  const opened: DatabaseApprovals[] = [];
  let groups = 0;
  const newGroup = () => `group-${++groups}`;

  async function open(on = database(), bus: LocalBus = createLocalBus({ log: silentLog })) {
    const approvals = createApprovals({ database: on, bus, log: silentLog, remoteDelayMs: 1 });
    opened.push(approvals);
    await approvals.load();
    return { approvals, bus };
  }

  test.after(() => {
    for (const approvals of opened) approvals.close();
  });

  test('what was accepted is there after a restart', async () => {
    const group = newGroup();
    const { approvals } = await open();
    await approvals.approve(group, definitions({ a__x: '1', a__y: '1' }));
    await approvals.approve(group, definitions({ a__x: '2' }));

    const restarted = await open();
    assert.equal(
      new Map([...restarted.approvals.approved(group)].sort()),
      new Map([
        ['a__x', '2'],
        ['a__y', '1'],
      ]),
    );
    assert.is(restarted.approvals.approved('other').size, 0);
  });

  test('a tool seen first by somebody else keeps what was accepted then', async () => {
    const group = newGroup();
    const one = await open();
    const other = await open();
    await one.approvals.approve(group, definitions({ a__x: '1' }));
    await other.approvals.approveFirstSeen(group, definitions({ a__x: '2', a__y: '2' }));

    const expected = new Map([
      ['a__x', '1'],
      ['a__y', '2'],
    ]);
    assert.equal(new Map([...other.approvals.approved(group)].sort()), expected);
    assert.equal(new Map([...(await open()).approvals.approved(group)].sort()), expected);
  });

  test('a group that is renamed takes along what is accepted, and nothing of an earlier one of that name', async () => {
    const [from, to] = [newGroup(), newGroup()];
    const { approvals } = await open();
    await approvals.approve(to, definitions({ a__x: '9', a__old: '9' }));
    await approvals.approve(from, definitions({ a__x: '1', a__y: '2' }));

    await approvals.copy(from, to);

    const expected = new Map([
      ['a__x', '1'],
      ['a__y', '2'],
    ]);
    assert.equal(new Map([...approvals.approved(to)].sort()), expected);
    const restarted = (await open()).approvals;
    assert.equal(new Map([...restarted.approved(to)].sort()), expected);
    const [was, is] = [await restarted.find(from, 'a__x'), await restarted.find(to, 'a__x')];
    assert.equal(is, was);
  });

  test('what could not be stored of a group is not left behind when it is renamed', async () => {
    const [from, to] = [newGroup(), newGroup()];
    const gate = { isAway: false };
    const { approvals } = await open(behind(gate, database()));
    gate.isAway = true;
    await approvals.approve(from, definitions({ a__x: '1' }));

    const failed = await approvals.copy(from, to).catch((error) => error.code);
    gate.isAway = false;
    await approvals.copy(from, to);

    assert.is(failed, 'database_unavailable');
    assert.equal([...approvals.approved(to)], [['a__x', '1']]);
  });

  test('news of another process bring in what it accepted', async () => {
    const group = newGroup();
    const one = await open();
    const other = await open();
    await one.approvals.approve(group, definitions({ a__x: '1' }));
    other.bus.deliver({ type: 'group', name: group }, 'remote');

    await waitUntil('it is known', () => other.approvals.approved(group).get('a__x') === '1');
  });

  test('while the database is away memory answers, and what was accepted is stored when it is back', async () => {
    const group = newGroup();
    const gate = { isAway: false };
    const { approvals, bus } = await open(behind(gate, database()));
    gate.isAway = true;
    await approvals.approve(group, definitions({ a__x: '1' }));
    assert.is(approvals.approved(group).get('a__x'), '1');

    gate.isAway = false;
    bus.reportGap();
    await waitUntil('it is stored', async () => (await open()).approvals.approved(group).get('a__x') === '1');
    assert.is(approvals.approved(group).get('a__x'), '1');
  });

  test('what a database that was full did not store is stored once it does, without any news', async () => {
    const group = newGroup();
    const gate = { isAway: false };
    const { approvals } = await open(behind(gate, database()));
    gate.isAway = true;
    await approvals.approve(group, definitions({ a__x: '1' }));
    gate.isAway = false;

    await waitUntil('it is stored', async () => (await open()).approvals.approved(group).get('a__x') === '1');
  });

  test('the text of what was accepted is kept, and of another one no more', async () => {
    const group = newGroup();
    const { approvals } = await open();
    await approvals.approve(group, definitions({ a__x: '1' }));
    await approvals.approveFirstSeen(group, definitions({ a__x: '2', a__y: '2' }));
    const restarted = (await open()).approvals;
    const found = async (tool: string) => {
      const { hash, text } = (await restarted.find(group, tool)) ?? {};
      return [hash, text];
    };

    assert.equal(await found('a__x'), ['1', 'text 1']);
    assert.equal(await found('a__y'), ['2', 'text 2']);
    assert.equal(await found('a__z'), [undefined, undefined]);
    await restarted.approve(group, new Map([['a__x', { hash: '3', text: undefined }]]));
    assert.equal(await found('a__x'), ['3', undefined]);
  });

  test('a text that is not at hand is taken from another group that accepted the same', async () => {
    const [group, copy] = [newGroup(), newGroup()];
    const { approvals } = await open();
    await approvals.approve(group, definitions({ a__x: '1', a__y: '1' }));
    await approvals.approve(
      copy,
      new Map([
        ['a__x', { hash: '1', text: undefined }],
        ['a__y', { hash: '9', text: undefined }],
      ]),
    );

    assert.is((await approvals.find(copy, 'a__x'))?.text, 'text 1');
    assert.is((await approvals.find(copy, 'a__y'))?.text, undefined);
  });

  test('what is accepted again as it is keeps its text', async () => {
    const group = newGroup();
    const [one, other] = [(await open()).approvals, (await open()).approvals];
    await one.approve(group, definitions({ a__x: '1' }));
    await other.approve(group, new Map([['a__x', { hash: '1', text: undefined }]]));

    assert.is((await other.find(group, 'a__x'))?.text, 'text 1');
  });

  test('many accept at once and none is lost', async () => {
    const group = newGroup();
    const [one, other] = [await open(), await open()];
    const accepts = Array.from({ length: 100 }, (_, at) =>
      (at % 2 ? one : other).approvals.approve(
        group,
        definitions({ [`a__${at}`]: '1', [`a__${(at + 7) % 100}`]: '1' }),
      ),
    );
    await Promise.all(accepts);

    assert.is((await open()).approvals.approved(group).size, 100);
  });
}

/** By tool the hash; texts go with them. */
function definitions(hashes: Readonly<Record<string, string>>): Definitions {
  return new Map(Object.entries(hashes).map(([tool, hash]) => [tool, { hash, text: `text ${hash}` }]));
}

/** The database as it behaves while it cannot be reached. */
function behind(gate: { isAway: boolean }, database: Database): Database {
  return {
    ...database,
    query: (text, values, name) =>
      gate.isAway ? Promise.reject(databaseUnavailable()) : database.query(text, values, name),
  };
}
