/** Questions outside of calls: asked in one process, read in another, answered in a third, with a real Postgres between them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCancellation } from '../../../lib/async/cancellation.ts';
import type { Database } from '../../../lib/database/database.ts';
import { openDatabase } from '../../../lib/database/drivers/node-open-database.ts';
import { migrate } from '../../../lib/database/migrate.ts';
import { readMigrations } from '../../../lib/database/node-migrations.ts';
import type { Bus } from '../../../lib/events/bus.ts';
import { createDatabaseBus, type DatabaseBus } from '../../../lib/events/database-bus.ts';
import type { RawAnswer } from '../../../lib/json-rpc/server-messages.ts';
import { silentLog } from '../../../lib/log.ts';
import { deliverQuestions } from '../../../lib/mcp/updates/deliver-questions.ts';
import { createClientRequestRows } from '../../../lib/sessions/client-requests/client-request-rows.ts';
import {
  type ClientRequests,
  createClientRequests,
} from '../../../lib/sessions/client-requests/client-requests.ts';
import { createSessions } from '../../../lib/sessions/database-sessions.ts';
import type { Session, Sessions } from '../../../lib/sessions/sessions.ts';
import { newSessionId } from '../../../lib/text/node-random-id.ts';
import { createTestDatabase } from '../../support/postgres.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('questions outside of calls, on several processes');
const url = await createTestDatabase('outside_questions');
const onPostgres = url === undefined ? test.skip : test;

interface Process {
  readonly bus: DatabaseBus;
  readonly sessions: Sessions;
  readonly requests: ClientRequests;
  /** What was sent to the session's stream here. */
  readonly read: string[];
  /** How often it has looked for questions that wait. */
  looks(): number;
  /** The client listens in this process from now on. */
  listen(): void;
  /** The stream is there, but nothing arrives any more. */
  stall(): void;
  leave(): void;
  close(): Promise<void>;
}

let database: Database;
const processes: Process[] = [];
let [a, b, c]: Process[] = [];
let session: Session;

test.before(async () => {
  if (url === undefined) return;
  database = await openDatabase({ kind: 'postgres', connectionString: url }, { log: silentLog });
  await migrate(database, await readMigrations());
});
test.before.each(async () => {
  if (url === undefined) return;
  [a, b, c] = [await startProcess(), await startProcess(), await startProcess()];
  session = await a.sessions.create({
    group: 'svc-global',
    protocolVersion: '2025-11-25',
    clientCapabilities: { roots: {} },
    clientInfo: { name: 'test', version: '1' },
  });
});
test.after.each(async () => {
  for (const process of processes.splice(0)) await process.close();
  await database?.query('delete from sessions');
});
test.after(() => database?.close());

async function startProcess(hear: (bus: Bus) => Bus = (bus) => bus): Promise<Process> {
  const bus = createDatabaseBus({ database, processId: newSessionId(), log: silentLog });
  await bus.start();
  const now = () => performance.now();
  const sessions = createSessions({ database, bus, newId: newSessionId, now, ttlSeconds: 60 });
  const rows = createClientRequestRows(database);
  const requests = createClientRequests({ rows, bus, newId: newSessionId });
  const read: string[] = [];
  let looks = 0;
  let state: 'away' | 'listening' | 'stalled' = 'away';
  let onOpen = (_: Session) => {};
  deliverQuestions({
    rows: { ...rows, claim: (id) => rows.claim(id).finally(() => looks++) },
    bus: hear(bus),
    streams: {
      isListening: () => state !== 'away',
      sendToListener(_, message) {
        if (state === 'listening') read.push(message);
        else state = 'away';
        return state === 'listening';
      },
      sessions: () => (state === 'away' ? [] : [session.id]),
      onOpen(listener) {
        onOpen = listener;
      },
    },
  });
  const process: Process = {
    ...{ bus, sessions, requests, read },
    looks: () => looks,
    listen() {
      state = 'listening';
      onOpen(session);
    },
    stall() {
      state = 'stalled';
    },
    leave() {
      state = 'away';
    },
    async close() {
      requests.close();
      await sessions.close();
      await bus.close();
    },
  };
  processes.push(process);
  return process;
}

/** Asks at `process`, where nobody listens. */
function ask(process: Process | undefined, unreadMs = 60_000) {
  const cancellation = createCancellation();
  const client = { session, send: () => false };
  const question = { method: 'roots/list', params: '{"n":1.0}', signal: cancellation.signal, unreadMs };
  const answer = process?.requests.askOutside(client, question) ?? Promise.reject();
  return { answer, cancellation };
}

async function questionAt(process: Process | undefined, at = 0): Promise<{ id: string; method: string }> {
  return JSON.parse(await waitUntil('the question is read', () => process?.read[at]));
}

async function answerAt(process: Process | undefined, id: string): Promise<void> {
  const text = `{"jsonrpc":"2.0","id":"${id}","result":{"roots":[],"n":1.0}}`;
  await process?.requests.take(session, { kind: 'response', id, text });
}

function messageOf(answer: RawAnswer): string {
  return 'error' in answer ? JSON.parse(answer.error).message : 'no error';
}

async function countRows(): Promise<number> {
  const [row] = await database.query<{ count: number }>('select count(*)::int as count from client_requests');
  return row?.count ?? -1;
}

/** What a client reads that begins to listen now is the next question, and not an earlier one. */
async function isNext(process: Process | undefined, earlier?: string): Promise<void> {
  ask(a);
  await isLeased();
  process?.listen();
  const { method } = await questionAt(process);
  assert.is(method, 'roots/list');
  assert.is(process?.read.length, 1);
  assert.is.not(process?.read[0], earlier);
}

const isLeased = () => waitUntil('it is held', async () => (await countRows()) === 1);
const isGone = () => waitUntil('nothing is left', async () => (await countRows()) === 0);

onPostgres('reach the client where it listens, and the answer who asked, wherever it is posted', async () => {
  b?.listen();
  const { answer } = ask(a);

  const question = await questionAt(b);
  assert.equal(question, { jsonrpc: '2.0', id: question.id, method: 'roots/list', params: { n: 1 } });
  assert.match(b?.read[0] ?? '', '"params":{"n":1.0}');
  await answerAt(c, question.id);

  assert.equal(await answer, { result: '{"roots":[],"n":1.0}' });
  await isGone();
});

onPostgres('wait for a client that does not listen yet', async () => {
  const { answer } = ask(a);
  await isLeased();

  b?.listen();
  await answerAt(a, (await questionAt(b)).id);

  assert.equal(await answer, { result: '{"roots":[],"n":1.0}' });
  await isGone();
  b?.leave();
  await isNext(c, b?.read[0]);
});

onPostgres('are answered in words when the client listens nowhere, and then never sent', async () => {
  const { answer } = ask(a, 50);

  assert.match(messageOf(await answer), 'listens to no stream');
  await isGone();
  await isNext(b);
});

onPostgres('that were read are given up no more for want of a stream', async () => {
  b?.listen();
  const { answer } = ask(a);
  const { id } = await questionAt(b);

  assert.is(await createClientRequestRows(database).withdraw(id), false);
  await answerAt(b, id);
  assert.is('result' in (await answer), true);
});

onPostgres('are sent on one of two streams', async () => {
  b?.listen();
  c?.listen();
  const asking = Array.from({ length: 5 }, () => ask(a));
  const both = () => [...(b?.read ?? []), ...(c?.read ?? [])];
  await waitUntil('all are read', () => both().length >= 5);
  for (const text of both()) await answerAt(b, JSON.parse(text).id);
  await Promise.all(asking.map(({ answer }) => answer));

  assert.is(new Set(both()).size, 5);
  assert.is(both().length, 5);
});

onPostgres('go to another stream when the one that took them is dead', async () => {
  b?.stall();
  ask(a);
  await isLeased();
  c?.listen();

  const { id } = await questionAt(c);
  assert.is((await questionAt(c)).method, 'roots/list');
  assert.equal(b?.read, []);
  await answerAt(c, id);
  await isGone();
});

onPostgres('that were taken back unread are never sent', async () => {
  const { answer, cancellation } = ask(a);
  await isLeased();

  cancellation.abort();

  assert.match(messageOf(await answer), 'cancelled');
  await isGone();
  await isNext(b);
});

onPostgres(
  'that were taken back after they were read are told to be, and an answer to them is dropped',
  async () => {
    b?.listen();
    const { answer, cancellation } = ask(a);
    const { id } = await questionAt(b);
    b?.leave();

    cancellation.abort();
    assert.match(messageOf(await answer), 'cancelled');
    await waitUntil('it is to be told', async () => {
      return (await database.query('select 1 from client_requests where message is not null')).length === 1;
    });
    c?.listen();

    assert.equal(await questionAt(c), {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id },
    } as unknown as { id: string; method: string });
    await answerAt(b, id);
  },
);

onPostgres('end with the session', async () => {
  ask(a);
  await isLeased();

  await b?.sessions.end(session.id);

  assert.is(await countRows(), 0);
});

onPostgres('to a session that is gone are refused', async () => {
  await b?.sessions.end(session.id);

  assert.match(messageOf(await ask(a).answer), 'was not asked');
});

onPostgres('whose news were lost are found when that is noticed', async () => {
  let notice = () => {};
  const deaf = await startProcess((bus) => ({
    ...bus,
    subscribe: () => () => {},
    onGap(handler) {
      notice = handler;
      return () => {};
    },
  }));
  deaf.listen();
  await waitUntil('the look that comes with a new stream is over', () => deaf.looks() === 1);
  ask(a);
  await isLeased();
  assert.equal(deaf.read, []);

  notice();

  assert.is((await questionAt(deaf)).method, 'roots/list');
});

onPostgres('that a process left which died are nobody’s when their time is over', async () => {
  await database.query(
    `insert into client_requests (id, session_id, message, deadline)
    values ('old', $1, '{}', now() - interval '1 second')`,
    [session.id],
  );

  b?.listen();
  ask(a);

  assert.is((await questionAt(b)).method, 'roots/list');
  assert.is(b?.read.length, 1);
});

test.run();
