/** Two processes, each with records of its own, and one table between them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCallRecords } from '../../../lib/observe/call-records.ts';
import {
  createServerCalls,
  type ServerCallRows,
  type ServerCallSummary,
} from '../../../lib/observe/server-calls.ts';

const test = suite('calls by server');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const publishEveryMs = 5;

interface Table {
  readonly rows: Map<string, ReadonlyMap<string, ServerCallSummary>>;
  readonly writes: string[][];
  isAway: boolean;
}

function createTable(): Table {
  return { rows: new Map(), writes: [], isAway: false };
}

function rowsOf(table: Table, processId: string): ServerCallRows {
  const assertThere = () => {
    if (table.isAway) throw new Error('away');
  };
  return {
    async write(summaries) {
      assertThere();
      table.writes.push([...summaries.keys()]);
      table.rows.set(processId, new Map([...(table.rows.get(processId) ?? []), ...summaries]));
    },
    async readOthers() {
      assertThere();
      const others = [...table.rows].filter(([id]) => id !== processId).flatMap(([, rows]) => [...rows]);
      return new Map(others.map(([server, summary]) => [server, [summary]]));
    },
  };
}

function createProcess(table: Table | undefined, id = 'a') {
  let time = 0;
  const underWay = new Map<string, number>();
  const records = createCallRecords(() => time);
  const calls = createServerCalls({
    records,
    servers: () => ['demo', 'quiet', 'busy'],
    inFlight: (server) => underWay.get(server) ?? 0,
    rows: table && rowsOf(table, id),
    now: () => time,
    publishEveryMs,
  });
  return { calls, records, underWay, passMs: (ms: number) => (time += ms) };
}

test('its own are there at once, with those under way', async () => {
  const { calls, records, underWay } = createProcess(undefined);
  records.add('demo', 'echo', 'rpc_error', 3);
  underWay.set('demo', 2);

  await calls.refresh();

  const recent = [{ at: 0, tool: 'echo', outcome: 'rpc_error', milliseconds: 3 }];
  assert.equal(calls.of('demo'), { total: 1, failed: 1, inFlight: 2, recent });
  assert.equal(calls.of('other'), { total: 0, failed: 0, inFlight: 0, recent: [] });
  await calls.close();
});

test('those of others are added, the latest of all first', async () => {
  const table = createTable();
  const [a, b] = [createProcess(table, 'a'), createProcess(table, 'b')];
  a.passMs(1);
  a.records.add('demo', 'one', 'ok', 1);
  b.passMs(2);
  b.records.add('demo', 'two', 'ok', 1);
  b.underWay.set('demo', 1);
  await pause(4 * publishEveryMs);

  await a.calls.refresh();

  const { total, inFlight, recent } = a.calls.of('demo');
  assert.equal([total, inFlight, recent.map(({ tool }) => tool)], [2, 1, ['two', 'one']]);
  await Promise.all([a.calls.close(), b.calls.close()]);
});

test('a try is told to the others as well, though no count tells of it', async () => {
  const table = createTable();
  const [a, b] = [createProcess(table, 'a'), createProcess(table, 'b')];
  b.records.addTry('demo', 'echo', 'ok', 1);
  await b.calls.close();

  await a.calls.refresh();

  const { total, recent } = a.calls.of('demo');
  assert.equal([total, recent.map(({ tried }) => tried)], [0, [true]]);
  await a.calls.close();
});

test('only what changed is told, and what is under way again and again', async () => {
  const table = createTable();
  const { calls, records, underWay } = createProcess(table);
  records.add('quiet', 't', 'ok', 1);
  records.add('busy', 't', 'ok', 1);
  underWay.set('busy', 1);
  await pause(10 * publishEveryMs);
  underWay.clear();
  await pause(4 * publishEveryMs);

  const told = table.writes.flat();
  assert.is(told.filter((server) => server === 'quiet').length, 1);
  assert.ok(told.filter((server) => server === 'busy').length > 2);
  assert.is(table.rows.get('a')?.get('busy')?.inFlight, 0);
  await calls.close();
});

test('while the database is away what was known stays; afterwards all is told', async () => {
  const table = createTable();
  const [a, b] = [createProcess(table, 'a'), createProcess(table, 'b')];
  b.records.add('demo', 't', 'ok', 1);
  await pause(4 * publishEveryMs);
  await a.calls.refresh();
  table.isAway = true;
  b.records.add('demo', 't', 'ok', 1);
  await pause(4 * publishEveryMs);
  a.passMs(1_000);

  await a.calls.refresh();
  const known = a.calls.of('demo').total;
  table.isAway = false;
  await pause(4 * publishEveryMs);
  a.passMs(1_000);
  await a.calls.refresh();

  assert.equal([known, a.calls.of('demo').total], [1, 2]);
  await Promise.all([a.calls.close(), b.calls.close()]);
});

test('a database that hangs holds nobody up', async () => {
  const never = new Promise<never>(() => {});
  let asked = 0;
  const hang = () => {
    asked += 1;
    return never;
  };
  const rows = { write: hang, readOthers: hang };
  const records = createCallRecords();
  const parts = { records, servers: () => ['demo'], inFlight: () => 0, rows, now: () => 0 };
  const calls = createServerCalls({ ...parts, publishEveryMs });
  records.add('demo', 't', 'ok', 1);
  await pause(10 * publishEveryMs);

  await calls.refresh();
  await calls.close();

  assert.is(calls.of('demo').total, 1);
  assert.is(asked, 2, 'once each, however long it hangs');
});

test('a first call is told while it is under way', async () => {
  const table = createTable();
  const { calls, underWay } = createProcess(table);
  underWay.set('demo', 1);

  await pause(4 * publishEveryMs);

  assert.is(table.rows.get('a')?.get('demo')?.inFlight, 1);
  await calls.close();
});

test('what came last is told at the end', async () => {
  const table = createTable();
  const { calls, records } = createProcess(table);
  records.add('demo', 't', 'ok', 1);

  await calls.close();

  assert.is(table.rows.get('a')?.get('demo')?.total, 1);
});

test.run();
