/**
 * Links in results while the database is away: the process that passed one on reads it, whoever else cannot know says
 * so, and once the database is back every process knows.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Replicas, startReplicas } from '../conformance/replicas.ts';
import { toolsOf } from '../support/manager-api.ts';
import { openSession, type PlainSession } from '../support/mcp-client.ts';
import { startPostgres } from '../support/postgres.ts';
import { configFiles, linkingConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('links while the database is away');
const postgres = await startPostgres();
const onPostgres = postgres ? test : test.skip;
const servers = ['one', 'two'];
let replicas: Replicas;
/** One for each replica. */
let sessions: readonly PlainSession[];

test.before(async () => {
  const database = await postgres?.createDatabase('links');
  if (database === undefined) return;
  const group = { name: 'svc-global', description: '', included_tools: [], included_servers: servers };
  // What could not be stored is stored with the regular removal, every two seconds here.
  const env = { UNUSED_SESSION_SECONDS: '8' };
  const configs = configFiles(...servers.map(linkingConfig));
  replicas = await startReplicas({ database, configs, groups: { 'svc-global': group }, env });
  for (const server of servers) {
    await waitUntil(`${server} is listed`, async () => (await toolsOf(replicas.manager, server)).length > 0);
  }
  sessions = await Promise.all(replicas.all.map(({ groupUrl }) => openSession(groupUrl())));
  // Known to each process, and used, before the database goes away.
  for (const session of sessions) {
    await waitUntil('both servers have resources', async () => {
      await show(session, 'note://first');
      return (await read(session, 'note://nobody')) === -32002 && read(session, 'note://first');
    });
  }
});

test.after(async () => {
  await replicas?.remove();
  await postgres?.stop('immediate');
});

async function show(session: PlainSession, uri: string): Promise<number> {
  const startedAt = performance.now();
  const { body } = await session.request('tools/call', { name: 'one__link', arguments: { uris: [uri] } });
  assert.is(body.result?.content[0].uri, uri, JSON.stringify(body));
  return performance.now() - startedAt;
}

/** The text, or the code of the error. */
async function read(session: PlainSession, uri: string): Promise<string | number> {
  const { body } = await session.request('resources/read', { uri });
  return body.result?.contents[0].text ?? body.error?.code ?? body.error;
}

async function assertShownAndStoredLater(
  word: string,
  away: () => unknown,
  back: () => unknown,
): Promise<void> {
  const [here, elsewhere] = sessions as [PlainSession, PlainSession];
  const uri = `note://${word}`;
  await away();

  const milliseconds = await show(here, uri);
  const readHere = await read(here, uri);
  const readElsewhere = await read(elsewhere, uri);
  await back();

  assert.ok(milliseconds < 2_000, `${milliseconds}`);
  assert.is(readHere, `${uri} of one`);
  assert.is.not(readElsewhere, -32002, 'nobody can tell that it is not there');
  await waitUntil('it is read elsewhere', async () => (await read(elsewhere, uri)) === `${uri} of one`, {
    limitMs: 20_000,
  });
}

onPostgres('crashed: a link is passed on, is read here, and elsewhere once the database is back', () =>
  assertShownAndStoredLater(
    'crashed',
    () => postgres?.stop('immediate'),
    () => postgres?.start(),
  ),
);

onPostgres('hanging: the same', () =>
  assertShownAndStoredLater(
    'hanging',
    () => postgres?.pause(),
    () => postgres?.resume(),
  ),
);

test.run();
