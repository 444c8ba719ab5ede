/** Sessions while the database is away: the known go on, the new are refused. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { databaseUnavailable } from '../../../lib/failure.ts';
import { silentLog } from '../../../lib/log.ts';
import { createSessions } from '../../../lib/sessions/database-sessions.ts';

const test = suite('sessions while the database is away');
const client = { group: 'g', protocolVersion: '2025-11-25', clientInfo: {}, clientCapabilities: {} };

/** A database that takes every session and says so, until it is away; the clock is the test's. */
function openSessions() {
  const state = { isAway: false, isHanging: false, nowMs: 0, statements: [] as string[] };
  const bus = createLocalBus({ log: silentLog });
  let lastId = 0;
  const sessions = createSessions({
    database: {
      async query<Row>(text: string, [ids]: readonly unknown[] = []) {
        state.statements.push(text.trim().split(/\s/, 1)[0] ?? '');
        if (state.isAway) throw databaseUnavailable();
        if (state.isHanging) await new Promise((resolve) => setTimeout(resolve, 2000));
        return (text.includes('update') ? (ids as string[]).map((id) => ({ id })) : []) as Row[];
      },
    },
    bus,
    newId: () => {
      lastId += 1;
      return `session-of-the-test-number-${lastId}`;
    },
    now: () => state.nowMs,
    ttlSeconds: 100,
  });
  return { sessions, bus, state };
}

async function codeOf(promise: unknown): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

test('a known session is found without the database', async () => {
  const { sessions, state } = openSessions();
  const created = await sessions.create(client);

  state.isAway = true;

  assert.equal(sessions.find(created.id), created);
  assert.equal(state.statements, ['insert']);
  await sessions.close();
});

test('a known session is found although news about it may have been missed', async () => {
  const { sessions, bus, state } = openSessions();
  const created = await sessions.create(client);
  state.isAway = true;
  bus.reportGap();

  assert.equal(await sessions.find(created.id), created);

  state.isAway = false;
  assert.is(await sessions.find(created.id), undefined, 'its row is asked as soon as that is possible');
  await sessions.close();
});

test('a known session does not wait for a database that hangs', async () => {
  const { sessions, bus, state } = openSessions();
  const created = await sessions.create(client);
  state.isHanging = true;
  bus.reportGap();

  const startedAt = performance.now();
  assert.equal(await sessions.find(created.id), created);

  assert.ok(performance.now() - startedAt < 1000);
  state.isHanging = false;
  await sessions.close();
});

test('a new session, an unknown one, and the end of one are refused as unavailable', async () => {
  const { sessions, state } = openSessions();
  const { id } = await sessions.create(client);
  state.isAway = true;

  assert.is(await codeOf(sessions.create(client)), 'database_unavailable');
  assert.is(await codeOf(sessions.find('session-of-another-process')), 'database_unavailable');
  assert.is(await codeOf(sessions.end(id)), 'database_unavailable');
  assert.ok(sessions.find(id));
  await sessions.close();
});

test('a session that was idle for its whole life time is not served from memory', async () => {
  const { sessions, state } = openSessions();
  const { id } = await sessions.create(client);
  state.isAway = true;

  state.nowMs = 100_001;

  assert.is(await codeOf(sessions.find(id)), 'database_unavailable');
  await sessions.close();
});

test('a use that could not be written is written later, and nobody hears of the failure', async () => {
  const { sessions, state } = openSessions();
  const { id } = await sessions.create(client);
  state.nowMs = 30_000;
  state.isAway = true;
  sessions.find(id);
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.equal(state.statements, ['insert', 'update']);

  state.isAway = false;
  await sessions.close();

  assert.equal(state.statements, ['insert', 'update', 'update']);
});

test.run();
