/** What sessions in a database must do beyond the common list: several processes, restarts, rows and reads. */
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { migrate } from '../../../lib/database/migrate.ts';
import { readMigrations } from '../../../lib/database/node-migrations.ts';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { silentLog } from '../../../lib/log.ts';
import { createSessions } from '../../../lib/sessions/database-sessions.ts';
import { createSessionRows } from '../../../lib/sessions/session-rows.ts';
import type { Sessions } from '../../../lib/sessions/sessions.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  describeSessions,
  newSessionId,
  type OpenSessions,
  sleep,
  someSession,
} from './sessions-contract.ts';

function sessionsIn(
  database: () => Pick<Database, 'query'>,
  now: () => number = () => performance.now(),
): OpenSessions {
  return (options) => createSessions({ ...options, database: database(), newId: newSessionId, now });
}

/** Both lists, on a database that is opened before them, brought up to date, and closed after them. */
export function describeSessionsOn(
  test: ReturnType<typeof suite>,
  open: () => Promise<Database>,
  clean: () => Promise<unknown> = async () => {},
): void {
  let database: Database;

  test.before(async () => {
    database = await open();
    await migrate(database, await readMigrations());
  });
  test.after(async () => {
    await database.close();
    await clean();
  });

  describeSessions(
    test,
    sessionsIn(() => database),
    async () =>
      (await database.query<{ n: number }>('select count(*)::int as n from sessions', []))[0]?.n ?? 0,
  );
  describeSessionRows(test, () => database);
}

function describeSessionRows(test: ReturnType<typeof suite>, database: () => Database): void {
  const opened: Sessions[] = [];

  /** As another process, or this one after a restart, would have them. */
  function openProcess(ttlSeconds = 60, now?: () => number, most?: number) {
    const statements: string[] = [];
    const counted: Pick<Database, 'query'> = {
      query(text, values, name) {
        statements.push(text.trim().split(/\s/, 1)[0] ?? '');
        return database().query(text, values, name);
      },
    };
    const bus = createLocalBus({ log: silentLog });
    const sessions = sessionsIn(
      () => counted,
      now,
    )({ bus, ttlSeconds, ...(most === undefined ? {} : { most }) });
    opened.push(sessions);
    return { sessions, bus, statements };
  }

  test.after.each(async () => {
    for (const sessions of opened.splice(0)) await sessions.close();
  });

  test('a session is found by a process that never saw it, exactly as it was created', async () => {
    const created = await openProcess().sessions.create(someSession);

    assert.equal(await openProcess().sessions.find(created.id), created);
  });

  test('the second find in a process reads nothing and answers at once', async () => {
    const { id } = await openProcess().sessions.create(someSession);
    const { sessions, statements } = openProcess();
    await sessions.find(id);

    const again = sessions.find(id);

    assert.is((again as { id: string }).id, id);
    assert.equal(statements, ['select']);
  });

  test('lookups of one id at the same time share one statement', async () => {
    const { id } = await openProcess().sessions.create(someSession);
    const { sessions, statements } = openProcess();

    const found = await Promise.all(Array.from({ length: 20 }, () => sessions.find(id)));

    assert.is(new Set(found).size, 1);
    assert.equal(statements, ['select']);
  });

  test('an id of another form never reaches the database', async () => {
    const { sessions, statements } = openProcess();

    await sessions.find('short');
    await sessions.end('x'.repeat(65));

    assert.equal(statements, []);
  });

  test('sessions created at the same time share statements, and each has its row', async () => {
    const { sessions, statements } = openProcess();

    const created = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        sessions.create({ ...someSession, clientInfo: { name: `client ${index}` } }),
      ),
    );

    assert.equal(statements, ['insert', 'insert']);
    const other = openProcess().sessions;
    const names = await Promise.all(created.map(async ({ id }) => (await other.find(id))?.clientInfo.name));
    assert.equal(
      names,
      created.map((_, index) => `client ${index}`),
    );
  });

  test('sessions whose clients declared the same share one copy of it', async () => {
    const { sessions } = openProcess();

    const first = await sessions.create({ ...someSession, clientInfo: { name: 'same' } });
    const second = await sessions.create({ ...someSession, clientInfo: { name: 'same' } });

    assert.is(first.clientInfo, second.clientInfo);
    assert.is(first.clientCapabilities, second.clientCapabilities);
  });

  test('an end in another process is obeyed when its news arrive', async () => {
    const here = openProcess();
    const { id } = await here.sessions.create(someSession);
    await openProcess().sessions.end(id);

    here.bus.deliver({ type: 'session_closed', name: id }, 'remote');

    assert.is(await here.sessions.find(id), undefined);
    assert.is(here.sessions.size(), 0);
  });

  test('after a gap in the news each session is read again before it is used', async () => {
    const here = openProcess();
    const ended = await here.sessions.create(someSession);
    const alive = await here.sessions.create(someSession);
    await openProcess().sessions.end(ended.id);

    here.bus.reportGap();

    assert.is(await here.sessions.find(ended.id), undefined);
    assert.equal(await here.sessions.find(alive.id), alive);
    assert.equal(here.sessions.find(alive.id), alive);
  });

  test('many sessions are counted now and then, not one by one', async () => {
    await database().query('delete from sessions');
    const { sessions, statements } = openProcess(60, undefined, 400);

    for (let made = 0; made < 100; made += 1) await sessions.create(someSession);

    const counts = statements.filter((statement) => statement === 'select').length;
    assert.ok(counts > 0 && counts < 8, `${counts} counts`);
  });

  test('processes on one database share the limit, but for what each adds between two counts', async () => {
    await database().query('delete from sessions');
    const processes = [1, 2, 3].map(() => openProcess(60, undefined, 100).sessions);
    let made = 0;
    for (let round = 0; round < 100; round += 1) {
      for (const sessions of processes)
        await sessions.create(someSession).then(
          () => (made += 1),
          () => {},
        );
    }

    assert.ok(made >= 100 && made <= 118, `${made} were made`);
  });

  const databaseTime = async () => (await database().query<{ at: Date }>('select now() as at'))[0]?.at;
  const usedAt = async (id: string) =>
    (await database().query<{ at: Date }>('select last_used_at as at from sessions where id = $1', [id]))[0]
      ?.at;

  /** The embedded database's clock counts whole milliseconds, so a row may say up to one too early. */
  async function usedSince(id: string, time: Date | undefined): Promise<boolean> {
    const used = await usedAt(id);
    return used !== undefined && time !== undefined && used.getTime() >= time.getTime() - 1;
  }

  test('at the limit those that were not used for longest make room, and those in use do not', async () => {
    const [{ n = 0 } = {}] = await database().query<{ n: number }>(
      'select count(*)::int as n from sessions',
      [],
    );
    const { sessions, bus } = openProcess(60, undefined, n + 2);
    const [idle, used] = [await sessions.create(someSession), await sessions.create(someSession)];
    const closed: string[] = [];
    bus.subscribe(({ type, name }) => type === 'session_closed' && closed.push(name));
    await database().query("update sessions set last_used_at = now() - interval '1 day' where id = $1", [
      idle.id,
    ]);

    const added = await waitUntil(
      'there is room',
      () => sessions.create(someSession).catch(() => undefined),
      {
        everyMs: 200,
      },
    );

    assert.equal(closed, [idle.id]);
    assert.is(await openProcess().sessions.find(idle.id), undefined);
    assert.ok(await openProcess().sessions.find(used.id));
    assert.ok(await openProcess().sessions.find(added.id));
  });

  test('processes used by the same sessions, each in an order of its own, all write that', async () => {
    const { sessions } = openProcess();
    const ids = await Promise.all(
      Array.from({ length: 300 }, async () => (await sessions.create(someSession)).id),
    );
    const rows = createSessionRows(database(), { ttlSeconds: 60, unusedSeconds: 60 });
    const uses = ids.map((id) => ({ id, secondsAgo: 0 }));
    const turned = [...uses].reverse();

    for (let round = 0; round < 10; round += 1) {
      const written = await Promise.all(
        Array.from({ length: 8 }, (_, at) => rows.writeUses(at % 2 === 0 ? uses : turned)),
      );
      for (const known of written) assert.is(known.size, ids.length);
    }
  });

  test('closing waits for a count under way, so that a closed process removes no session', async () => {
    await database().query('delete from sessions');
    const removals: ('open' | 'closed')[] = [];
    let state: 'open' | 'closed' = 'open';
    const slow: Pick<Database, 'query'> = {
      async query(text, values, name) {
        if (name === 'count-sessions') await sleep(100);
        if (text.startsWith('delete')) removals.push(state);
        return await database().query(text, values, name);
      },
    };
    const bus = createLocalBus({ log: silentLog });
    const sessions = sessionsIn(() => slow)({ bus, ttlSeconds: 60, most: 3 });
    await sessions.create(someSession);
    for (let made = 0; made < 3; made += 1) await openProcess().sessions.create(someSession);
    await sessions.create(someSession);

    await sessions.close();
    state = 'closed';
    await sleep(200);

    assert.equal(removals, ['open']);
  });

  test('a use is written soon after a quiet while, and then not for a quarter of the life time', async () => {
    let now = 0;
    const { sessions, statements } = openProcess(2, () => now);
    const { id } = await sessions.create(someSession);
    const before = await databaseTime();
    now = 550;

    await sessions.find(id);
    await waitUntil('it is written', () => statements.includes('update'));
    now = 1_000;
    for (let use = 0; use < 15; use += 1) await sessions.find(id);
    // Our clock stands still; those that wait for their time look at it now and then.
    await sleep(700);

    assert.equal(statements, ['insert', 'update']);
    assert.ok(await usedSince(id, before), 'the row says an earlier time');
  });

  test('uses that were not written yet are written on close', async () => {
    const { sessions } = openProcess(40);
    const { id } = await sessions.create(someSession);
    await sleep(300);
    const before = await databaseTime();
    await sessions.find(id);

    await sessions.close();

    assert.ok(await usedSince(id, before), 'the row says an earlier time');
  });

  test('a session idle here for its life time, but used elsewhere, is still found', async () => {
    const here = openProcess(0.6);
    const there = openProcess(0.6);
    const { id } = await here.sessions.create(someSession);

    for (let use = 0; use < 5; use += 1) {
      await sleep(150);
      assert.ok(await there.sessions.find(id));
    }
    await sleep(50);

    assert.ok(await here.sessions.find(id));
  });

  test('a session whose row went without news is dropped when its use is written', async () => {
    const { sessions, bus } = openProcess(1);
    const closed: string[] = [];
    bus.subscribe(({ type, name }) => type === 'session_closed' && closed.push(name));
    const { id } = await sessions.create(someSession);
    await database().query('delete from sessions where id = $1', [id]);
    await sleep(300);

    assert.ok(await sessions.find(id));

    await waitUntil('it was dropped', () => sessions.size() === 0, { limitMs: 2000 });
    assert.is(await sessions.find(id), undefined);
    assert.equal(closed, [id], 'whoever holds something for it hears of its end');
  });

  test('a use of a session that is not cached here is written', async () => {
    const { id } = await openProcess().sessions.create(someSession);
    await sleep(300);
    const { sessions, statements } = openProcess();

    sessions.use([id]);
    await sessions.close();

    assert.equal(statements, ['update']);
    const [row] = await database().query<{ idle: number }>(
      'select extract(epoch from now() - last_used_at)::float8 as idle from sessions where id = $1',
      [id],
    );
    assert.ok(row && row.idle < 0.25, `the row says ${row?.idle} s ago`);
  });
}
