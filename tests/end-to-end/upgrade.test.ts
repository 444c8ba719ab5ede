/**
 * An installation that an earlier version made and left (tests/fixtures/installation-2026-11-22) starts on this one with
 * nothing lost, on both databases: what people and agents saw of it is what they see.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseSecretFile } from '../../lib/secrets/secret-file.ts';
import { fixtureFolder, layOutInstallation, readExpected, withDatabase } from '../support/installation.ts';
import { type OpenSession, readView, request } from '../support/installation-view.ts';
import { readKeptRows } from '../support/kept-rows.ts';
import { type NotesServer, startNotesServer } from '../support/notes-server.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type RunningService, runService, type ServicePlaces } from '../support/run-service.ts';
import { callOverStream } from '../support/stream-call.ts';
import { openStreamClient } from '../support/stream-client.ts';
import { waitUntil } from '../support/wait-until.ts';

const fixture = fixtureFolder('installation-2026-11-22');
const expected = readExpected(fixture);
const secrets = parseSecretFile(readFileSync(join(fixture, 'made-up-secrets.txt'), 'utf8'));
const wanted = process.env.TEST_DATABASE;
const unlimited = { limitMs: 30_000 };

if (wanted !== 'postgres') upgrade('embedded');
if (wanted !== 'embedded') {
  const database = await createTestDatabase('upgrade');
  if (database !== undefined) upgrade(database);
}

/** What of a kept view is otherwise by decision, and nothing else. */
function revised<Value>(view: Value, revise: NonNullable<Parameters<typeof JSON.parse>[1]>): Value {
  return JSON.parse(JSON.stringify(view), revise);
}

/** One group includes a server whole, whose tools stand as it lists them, and no more by name. */
function inServerOrder<Value>(view: Value): Value {
  const nameOf = (one: { name?: string } | string | null) => (typeof one === 'string' ? one : one?.name);
  return revised(view, (_, value) => {
    if (!Array.isArray(value)) return value;
    const start = value.findIndex((one) => nameOf(one) === 'offering__add');
    const [add, ...others] = value.slice(start, start + 3);
    if (others.map(nameOf).join() !== 'offering__heard,offering__update') return value;
    return value.toSpliced(start, 3, ...others, add);
  });
}

/**
 * The reference server shows one tool only where roots are declared, and over connections that sessions share they are no
 * more (docs/decisions/0021). Whoever counts its tools counts 16 in place of 17.
 */
function withoutRoots<Value>(view: Value): Value {
  return revised(view, (_, value) => {
    if (Array.isArray(value)) return value.filter((one) => one?.name !== 'everything__get-roots-list');
    return value?.name === 'everything' && value.tool_count === 17 ? { ...value, tool_count: 16 } : value;
  });
}

/** Of that server's tools, since those behind that one move up. */
function withoutPosition(row: string): string {
  return row.replace(/^(\(everything,[^,]*),\d+,/, '$1,');
}

/** @param database `embedded`, or the URL of an empty one. */
function upgrade(database: string): void {
  const test = suite(`upgrade from 2026-11-22, ${database === 'embedded' ? database : 'Postgres'}`);
  let service: RunningService;
  let notes: NotesServer;
  let before: Kept;

  test.before(async () => {
    notes = await startNotesServer('second');
    service = await runService({
      database,
      env: { DOCKER_HOST: 'unix:///nonexistent/docker.sock' },
      readyMs: 60_000,
      async fill(places) {
        await layOutInstallation(fixture, places, notes.address);
        before = { files: readFiles(places), rows: await withDatabase(places, readKeptRows) };
      },
    });
  });
  test.after(async () => {
    await service?.remove();
    await notes?.close();
  });

  const here = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replaceAll(expected.notesAddress, notes.address));
  const view = async () => here(await readView(service, expected.sessions));
  const viewBefore = inServerOrder(expected.view);

  test('people see servers, groups and tools as before, agents on their sessions the same lists', async () => {
    assert.equal(await view(), here(viewBefore));
  });

  // Before another session uses that server: a question that could be another's would be refused.
  test('a session keeps what its client can do, and its log level', async () => {
    const session = sessionOf('capable');
    const sampled = { role: 'assistant', model: 'test', content: { type: 'text', text: 'a model' } };
    const asks = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } };
    const entries = [
      { level: 'info', data: 'quiet' },
      { level: 'warning', data: 'loud' },
    ];

    const asking = await callOverStream(service, session, 'crm.eu__ask', asks, () => sampled);
    const logging = await callOverStream(service, session, 'crm.eu__log', { entries }, () => sampled);

    assert.is(asking.filter(({ method }) => method === asks.method).length, 1);
    assert.match(JSON.stringify(asking.at(-1)?.result), 'a model');
    const logged = logging.flatMap(({ method, params }) =>
      method === 'notifications/message' ? [params] : [],
    );
    assert.equal(
      logged.map(({ data }) => data),
      ['loud'],
    );
  });

  test('calls on the sessions reach the servers, and secrets do', async () => {
    const oldest = sessionOf('oldest');
    const variables = async (tool: string) => JSON.parse(await textOf(service, oldest, tool));
    const headers = async (tool: string) => JSON.parse(await textOf(service, sessionOf('reviewing'), tool));

    assert.is((await variables('crm.eu__env')).API_TOKEN, 'made-up token of crm.eu');
    assert.is((await variables('crm-eu__env')).API_TOKEN, 'made-up token of crm-eu');
    assert.is((await variables('CRM_EU__env')).API_TOKEN, 'made-up token of CRM_EU');
    const { SHARED_KEY, PLAIN } = await variables('everything__get-env');
    assert.equal([SHARED_KEY, PLAIN], [secrets.get('SHARED_KEY'), 'a literal that stays in this file']);
    assert.is((await headers('archive__whoami'))['x-shared-key'], secrets.get('SHARED_KEY'));
    const { authorization, 'x-notes-key': key } = await headers('notes__whoami');
    assert.equal([authorization, key], ['Bearer made-up-bearer-token', 'made-up key of notes']);
  });

  test('what a client missed comes with its last event id', async () => {
    for (const { session, lastEventId, rest } of expected.streams) {
      const { id: sessionId, group } = sessionOf(session);
      const client = openStreamClient({ sessionId, urls: [service.groupUrl(group)], lastEventId });
      await waitUntil('all of it has come', () => client.received.size >= rest.length, unlimited);
      client.close();
      const received = [...client.received.values()].map((text) => JSON.parse(text));
      assert.equal(received.slice(0, rest.length), rest);
    }
  });

  test('a session keeps its subscriptions', async () => {
    const { id: sessionId, group } = sessionOf('capable');
    const listener = openStreamClient({ sessionId, urls: [service.groupUrl(group)] });
    const call = (tool: string, args = {}) => textOf(service, sessionOf('capable'), tool, args);
    const hasHeard = async () => (await call('offering__heard')).includes('+r://one');
    await waitUntil('the server has heard of it', hasHeard, unlimited);

    await call('offering__update', { uri: 'r://one' });

    const told = () => [...listener.received.values()].some((text) => text.includes('resources/updated'));
    await waitUntil('the listener is told', told, unlimited);
    listener.close();
  });

  test('after the servers were used and another start all of it is as before', async () => {
    await service.restart();

    assert.equal(await view(), here(withoutRoots(viewBefore)));
  });

  test('no file was rewritten, no secret and no row is lost', async () => {
    await service.stop();

    const after = { files: readFiles(service), rows: await withDatabase(service, readKeptRows) };
    assert.equal(after.files, before.files);
    const values = parseSecretFile(readFileSync(join(service.dataDir, 'secrets.env'), 'utf8'));
    for (const [name, value] of secrets) assert.is(values.get(name), value);
    for (const [table, rows] of Object.entries(before.rows)) {
      const kept = new Set(after.rows[table]?.map(withoutPosition));
      const gone = rows.filter((row) => !kept.has(withoutPosition(row)));
      assert.equal(
        gone.filter((row) => table !== 'tools' || !row.startsWith('(everything,get-roots-list,')),
        [],
        `rows of ${table} that are gone`,
      );
    }
  });

  if (database === 'embedded') {
    test('the embedded database is of the Postgres that wrote the folder', async () => {
      const [row] = await withDatabase(service, (opened) =>
        opened.query<{ major: string }>(
          `select split_part(current_setting('server_version'), '.', 1) as major`,
        ),
      );

      assert.is(row?.major, expected.postgresMajor);
    });
  }

  test.run();
}

interface Kept {
  readonly files: Readonly<Record<string, string>>;
  readonly rows: Readonly<Record<string, readonly string[]>>;
}

/** Path → text, of what an upgrade has no reason to write. */
function readFiles({ dataDir, groupsDir, configsDir }: ServicePlaces): Record<string, string> {
  const own = ['installation-id', 'installation-key'].map((file) => join(dataDir, file));
  const others = [groupsDir, configsDir].flatMap((folder) =>
    readdirSync(folder).map((file) => join(folder, file)),
  );
  return Object.fromEntries([...own, ...others].map((path) => [path, readFileSync(path, 'latin1')]));
}

function sessionOf(label: string): OpenSession {
  const session = expected.sessions[label];
  if (session === undefined) throw new Error(`the fixture has no session \`${label}\``);
  return session;
}

async function textOf(
  service: RunningService,
  session: OpenSession,
  name: string,
  args = {},
): Promise<string> {
  const { text, body } = await request(service, session, 'tools/call', { name, arguments: args });
  const [content] = body?.result?.content ?? [];
  if (content === undefined) throw new Error(`${name}: ${text}`);
  return content.text.replace(/^[^{]*(?=\{)/, '');
}
