/** Questions that are asked in one process and answered in another, with a real Postgres between them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCancellation } from '../../../lib/async/cancellation.ts';
import type { Database } from '../../../lib/database/database.ts';
import { openDatabase } from '../../../lib/database/drivers/node-open-database.ts';
import { migrate } from '../../../lib/database/migrate.ts';
import { readMigrations } from '../../../lib/database/node-migrations.ts';
import type { Bus } from '../../../lib/events/bus.ts';
import { createDatabaseBus, type DatabaseBus } from '../../../lib/events/database-bus.ts';
import { silentLog } from '../../../lib/log.ts';
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

const test = suite('requests to clients, on two processes');
const url = await createTestDatabase('client_requests');
const onPostgres = url === undefined ? test.skip : test;

interface Process {
  readonly bus: DatabaseBus;
  readonly sessions: Sessions;
  readonly requests: ClientRequests;
}

let database: Database;
let a: Process;
let b: Process;
let session: Session;

test.before(async () => {
  if (url === undefined) return;
  database = await openDatabase({ kind: 'postgres', connectionString: url }, { log: silentLog });
  await migrate(database, await readMigrations());
  a = await startProcess('a');
  b = await startProcess('b');
});
test.before.each(async () => {
  if (url === undefined) return;
  session = await a.sessions.create({
    group: 'svc-global',
    protocolVersion: '2025-11-25',
    clientCapabilities: { sampling: {} },
    clientInfo: { name: 'test', version: '1' },
  });
});
test.after(async () => {
  for (const { bus, sessions, requests } of url === undefined ? [] : [a, b]) {
    requests.close();
    await sessions.close();
    await bus.close();
  }
  await database?.close();
});

async function startProcess(processId: string, hear: (bus: Bus) => Bus = (bus) => bus): Promise<Process> {
  const bus = createDatabaseBus({ database, processId, log: silentLog });
  await bus.start();
  const now = () => performance.now();
  const sessions = createSessions({ database, bus, newId: newSessionId, now, ttlSeconds: 60 });
  const rows = createClientRequestRows(database);
  return { bus, sessions, requests: createClientRequests({ rows, bus: hear(bus), newId: newSessionId }) };
}

/** Asks at `process`; resolves once the question is out. */
async function ask(process: Process) {
  const emitted: string[] = [];
  const cancellation = createCancellation();
  const client = { session, emit: (text: string) => void emitted.push(text) };
  const answer = process.requests.ask(client, 'sampling/createMessage', '{}', cancellation.signal);
  const { id } = JSON.parse(await waitUntil('the question is out', () => emitted[0]));
  return { id, answer, cancellation };
}

function answerAt(process: Process, id: string, from: Pick<Session, 'id'> = session): Promise<void> {
  const text = `{"jsonrpc":"2.0","id":"${id}","result":{"n":1.0}}`;
  return process.requests.take(from, { kind: 'response', id, text });
}

async function countRows(): Promise<number> {
  const [row] = await database.query<{ count: number }>('select count(*)::int as count from client_requests');
  return row?.count ?? -1;
}

onPostgres('an answer that is posted to another process arrives, and leaves nothing behind', async () => {
  const { id, answer } = await ask(a);

  await answerAt(b, id);

  assert.equal(await answer, { result: '{"n":1.0}' });
  await waitUntil('the row is gone', async () => (await countRows()) === 0);
});

onPostgres('another session cannot answer, whatever it knows', async () => {
  const { id, answer, cancellation } = await ask(a);
  const other = await b.sessions.create(session);

  await answerAt(b, id, other);
  await answerAt(b, id);

  assert.equal(await answer, { result: '{"n":1.0}' });
  cancellation.abort();
});

onPostgres('an answer that is faster than the row of its question arrives too', async () => {
  const late = createClientRequestRows(database);
  const insert = async (id: string, sessionId: string) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    await late.insert(id, sessionId);
  };
  const requests = createClientRequests({ rows: { ...late, insert }, bus: a.bus, newId: newSessionId });
  const { id, answer } = await ask({ ...a, requests });

  await answerAt(b, id);

  assert.equal(await answer, { result: '{"n":1.0}' });
  requests.close();
});

onPostgres('an answer whose news are lost is found all the same', async () => {
  const deaf = await startProcess('deaf', (bus) => ({ ...bus, subscribe: () => () => {} }));
  const { id, answer } = await ask(deaf);

  await answerAt(b, id);

  assert.equal(await answer, { result: '{"n":1.0}' });
  deaf.requests.close();
  await deaf.sessions.close();
  await deaf.bus.close();
});

onPostgres('what was taken back leaves nothing behind, and its answer is dropped', async () => {
  const { id, answer, cancellation } = await ask(a);

  cancellation.abort();

  assert.ok('error' in (await answer));
  await waitUntil('the row is gone', async () => (await countRows()) === 0);
  await answerAt(b, id);
});

onPostgres('the end of the session removes what it was asked', async () => {
  const { cancellation } = await ask(a);
  await waitUntil('the row is there', async () => (await countRows()) === 1);

  await b.sessions.end(session.id);

  assert.is(await countRows(), 0);
  cancellation.abort();
});

onPostgres('what a killed process asked is removed when its time is over', async () => {
  await database.query(
    "insert into client_requests (id, session_id, deadline) values ('old', $1, now() - interval '1 second')",
    [session.id],
  );

  const { cancellation } = await ask(a);

  await waitUntil('it is gone', async () => {
    const left = await database.query("select id from client_requests where id = 'old'");
    return left.length === 0;
  });
  cancellation.abort();
});

onPostgres('a log level set in one process holds in the other within a second', async () => {
  await b.sessions.find(session.id);

  await a.sessions.setLogLevel(session.id, 'error');

  assert.is(a.sessions.peek(session.id)?.logLevel, 'error');
  await waitUntil('it holds', () => b.sessions.peek(session.id)?.logLevel === 'error', { limitMs: 1000 });
});

test.run();
