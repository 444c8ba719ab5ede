import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { openDatabase } from '../../../lib/database/drivers/node-open-database.ts';
import { migrate } from '../../../lib/database/migrate.ts';
import { readMigrations } from '../../../lib/database/node-migrations.ts';
import { databaseUnavailable } from '../../../lib/failure.ts';
import { silentLog } from '../../../lib/log.ts';
import { createEventLog } from '../../../lib/sessions/event-log/database-event-log.ts';
import type { EventLog } from '../../../lib/sessions/event-log/event-log.ts';
import { newSessionId } from '../../../lib/text/node-random-id.ts';
import { openEmbeddedDatabase } from '../../support/embedded-database.ts';
import { createMemoryEventLog } from '../../support/memory-event-log.ts';
import { createTestDatabase } from '../../support/postgres.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { describeEventLog } from './event-log-contract.ts';

// Awaited before the first suite runs: uvu would begin with it meanwhile, and run the others beside it.
const url = await createTestDatabase('events');
const inMemory = suite('event log: memory');
describeEventLog(inMemory, async () => ({
  log: createMemoryEventLog({ now: () => performance.now() }),
  newSession: async () => newSessionId(),
}));
inMemory.run();

const directory = mkdtempSync(join(scratchFolder(), 'event-log-'));
describeOn('event log: PGlite', () => openEmbeddedDatabase(directory));
if (url) describeOn('event log: Postgres', () => openPostgres(url));
else console.error('event log: Postgres: skipped, it is not there');

async function openPostgres(connectionString: string): Promise<Database> {
  const database = await openDatabase({ kind: 'postgres', connectionString }, { log: silentLog });
  await migrate(database, await readMigrations());
  return database;
}

function describeOn(name: string, open: () => Promise<Database>): void {
  const test = suite(name);
  let database: Database;

  async function newSession(): Promise<string> {
    const id = newSessionId();
    const columns = 'id, group_name, protocol_version, client_info, client_capabilities';
    await database.query(`insert into sessions (${columns}) values ($1, 'g', '2025-11-25', '{}', '{}')`, [
      id,
    ]);
    return id;
  }

  async function count(): Promise<number> {
    const [row] = await database.query<{ count: number }>('select count(*)::int as count from stream_events');
    return row?.count ?? -1;
  }

  test.before(async () => {
    database = await open();
  });
  test.after(async () => {
    await database?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  describeEventLog(test, async () => ({ log: createEventLog({ database }), newSession }));

  test('the end of a session removes what was kept for it, and keeps nothing more', async () => {
    const log = createEventLog({ database });
    const stream = {
      id: `gended${newSessionId()}`,
      sessionId: await newSession(),
      principal: '',
      fallbackAnswer: '',
    };
    const before = await count();
    await log.append({ stream, seq: 1, message: '{}', isLast: false, keepFrom: 0 });
    assert.is(await count(), before + 1);

    await database.query('delete from sessions where id = $1', [stream.sessionId]);
    await log.append({ stream, seq: 2, message: '{}', isLast: false, keepFrom: 0 });
    await createEventLog({ database }).append({ stream, seq: 3, message: '{}', isLast: false, keepFrom: 0 });

    assert.is(await count(), before);
  });

  test('streams without a sign of life for an hour are removed, and not read before', async () => {
    const log = createEventLog({ database });
    const stream = {
      id: `gold${newSessionId()}`,
      sessionId: await newSession(),
      principal: '',
      fallbackAnswer: '',
    };
    await log.append({ stream, seq: 1, message: '{}', isLast: false, keepFrom: 0 });
    const before = await count();

    await database.query("update event_streams set alive_at = now() - interval '61 minutes' where id = $1", [
      stream.id,
    ]);
    const reader = { streamId: stream.id, sessionId: stream.sessionId, principal: '' };
    assert.is(await log.read(reader, 0), undefined);
    await log.reap();

    assert.is(await count(), before - 1);
  });

  test('a stream that goes on does not expire, and comes back when it had', async () => {
    const stream = {
      id: `gon${newSessionId()}`,
      sessionId: await newSession(),
      principal: '',
      fallbackAnswer: '',
    };
    const append = (seq: number) =>
      createEventLog({ database }).append({ stream, seq, message: '{}', isLast: false, keepFrom: 0 });
    const age = (minutes: number) =>
      database.query('update event_streams set alive_at = now() - make_interval(mins => $2) where id = $1', [
        stream.id,
        minutes,
      ]);
    const reader = { streamId: stream.id, sessionId: stream.sessionId, principal: '' };
    const log = createEventLog({ database });
    await append(1);

    await age(59);
    await append(2);
    await log.reap();
    assert.is((await log.read(reader, 0))?.events.length, 2);
    await age(61);
    await log.reap();
    await append(3);

    assert.is((await log.read(reader, 0))?.events.length, 1);
  });

  test('two writers of one stream, in bursts, lose nothing', async () => {
    const stream = {
      id: `gtwo${newSessionId()}`,
      sessionId: await newSession(),
      principal: '',
      fallbackAnswer: '',
    };
    const logs = [createEventLog({ database }), createEventLog({ database })];

    await Promise.all(
      logs.flatMap((log, writer) =>
        Array.from({ length: 100 }, (_, at) =>
          log.append({ stream, seq: writer * 1000 + at, message: `${at}`, isLast: false, keepFrom: 0 }),
        ),
      ),
    );

    const reading = await logs[0]?.read(
      { streamId: stream.id, sessionId: stream.sessionId, principal: '' },
      -1,
    );
    assert.is(reading?.events.length, 200);
  });
  test.run();
}

const away = suite('event log: database away');

away('keeping fails without rejecting, and what waits is bounded', async () => {
  let isAway = true;
  let wake = () => {};
  const written: unknown[] = [];
  const query = async (_text: string, values?: readonly unknown[]) => {
    if (isAway) throw databaseUnavailable();
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    written.push(values);
    return [];
  };
  const log: EventLog = createEventLog({ database: { query: query as Database['query'] } });
  const stream = { id: 'g1', sessionId: 's', principal: '', fallbackAnswer: '' };
  const event = { stream, message: 'x'.repeat(1_000_000), isLast: false, keepFrom: 0 };

  assert.is(await log.append({ ...event, seq: 1 }), false);
  await log.touch(['g1']);
  isAway = false;
  const results: boolean[] = [];
  const waiting = Array.from({ length: 12 }, (_, at) =>
    log.append({ ...event, seq: at + 2 }).then((stored) => results.push(stored)),
  );
  await new Promise((resolve) => setTimeout(resolve, 1));

  assert.equal(results, [false, false, false, false], 'beyond 8 MiB nothing waits');
  const waking = setInterval(() => wake(), 1);
  await Promise.all(waiting);
  clearInterval(waking);
  assert.is(results.filter((stored) => stored).length, 8);
});
away.run();
