/**
 * Servers that ask back while they work, through three replicas on one Postgres: the client answers with a POST of its
 * own, which never reaches the replica that runs the call except through the database.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Replicas, startReplicas } from '../conformance/replicas.ts';
import {
  type AnsweringClient,
  connectAnsweringClient,
  type UserAnswers,
} from '../support/answering-client.ts';
import { toolsOf } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type Purpose, roundRobin, routedFetch } from '../support/routed-fetch.ts';
import type { RunningService } from '../support/run-service.ts';
import {
  configFiles,
  everythingConfig,
  faultConfig,
  type ServerProcess,
  startEverything,
} from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('servers that ask back, on three replicas');
const database = await createTestDatabase('asking');
const onPostgres = database === undefined ? test.skip : test;
const servers = ['everything', 'everything-http', 'fault', 'own'];
const opened: AnsweringClient[] = [];
let http: ServerProcess;
let replicas: Replicas;

test.before(async () => {
  if (database === undefined) return;
  http = await startEverything('streamableHttp');
  const url = `http://127.0.0.1:${http.port}/mcp`;
  const overHttp = { name: 'everything-http', transport: 'streamable_http', url };
  const configs = configFiles(
    everythingConfig(),
    overHttp,
    faultConfig('fault'),
    faultConfig('own', [], { session_mode: 'stateful' }),
  );
  const group = { name: 'svc-global', description: '', included_tools: [], included_servers: servers };
  replicas = await startReplicas({ database, configs, groups: { 'svc-global': group } });
  for (const server of servers) {
    await waitUntil(`${server} is listed`, async () => (await toolsOf(replicas.manager, server)).length > 0);
  }
});

test.after.each(async () => {
  for (const client of opened.splice(0)) await client.close();
});

test.after(async () => {
  await replicas?.remove();
  await http?.kill();
});

/** Calls run at the first replica, streams at the second, and what the client answers goes to the third. */
function apart(purpose: Purpose): RunningService {
  const [first, second, third] = replicas.all as [RunningService, RunningService, RunningService];
  if (purpose === 'stream') return second;
  return purpose === 'answer' ? third : first;
}

async function connect(answers: UserAnswers = {}, fetch = routedFetch(apart)): Promise<AnsweringClient> {
  const client = await connectAnsweringClient(replicas.groupUrl(), { fetch, answers });
  opened.push(client);
  return client;
}

/** Roots may be asked for at any time while a call is under way. */
function askedFor(method: string, { asked }: Pick<AnsweringClient, 'asked'>) {
  return asked.filter((one) => one.method === method);
}

onPostgres('sampling is answered on another replica than the one that runs the call', async () => {
  const client = await connect({ sampled: 'from the third' });

  for (const server of ['everything', 'everything-http']) {
    const text = await client.call(`${server}__trigger-sampling-request`, { prompt: 'Hello?', maxTokens: 7 });

    assert.match(text, 'from the third');
  }
  assert.equal(
    askedFor('sampling/createMessage', client).map(({ params }) => [
      params.maxTokens,
      params.messages[0].content.text,
    ]),
    new Array(2).fill([7, 'Resource trigger-sampling-request context: Hello?']),
  );
});

onPostgres('a form is filled in on another replica, and names the server to the user', async () => {
  const { client, asked } = await connect({ name: 'Grace' });

  const { content } = await client.callTool({ name: 'everything__trigger-elicitation-request' });

  assert.match(JSON.stringify(content), 'Grace');
  const [request] = askedFor('elicitation/create', { asked });
  assert.is(request?.params.message, '[everything] Please provide inputs for the following fields:');
  assert.is(request?.params.requestedSchema.properties.integer.default, 42);
});

onPostgres('a visit to a URL is confirmed on another replica, and names the server to the user', async () => {
  const { call, asked } = await connect();
  const params = { url: 'https://example.org/pay', elicitationId: 'e-1' };

  const text = await call('everything-http__trigger-url-elicitation', params);

  assert.match(text, 'User completed');
  const [request] = askedFor('elicitation/create', { asked });
  assert.equal(
    [request?.params.mode, request?.params.url, request?.params.elicitationId],
    ['url', 'https://example.org/pay', 'e-1'],
  );
  assert.match(request?.params.message, /^\[everything-http\] /);
});

onPostgres('roots are told on another replica', async () => {
  const { call } = await connect();

  const answered = JSON.parse(await call('own__ask', { method: 'roots/list' }));

  assert.equal(answered.result, { roots: [{ uri: 'file:///work', name: 'Work' }] });
});

onPostgres('roots are told to no server that sessions share', async () => {
  const { call, asked } = await connect();

  const answered = JSON.parse(await call('fault__ask', { method: 'roots/list' }));

  assert.is(answered.error?.code, -32601);
  assert.equal(askedFor('roots/list', { asked }), []);
});

onPostgres('two agents at once are each asked by their own call', async () => {
  const [ada, bob] = await Promise.all([connect({ sampled: 'Ada’s' }), connect({ sampled: 'Bob’s' })]);
  const ask = ({ call }: AnsweringClient) =>
    Promise.all(
      ['everything', 'everything-http'].flatMap((server) => [
        call(`${server}__trigger-sampling-request`, { prompt: 'one', maxTokens: 5 }),
        call(`${server}__trigger-sampling-request`, { prompt: 'two', maxTokens: 5 }),
      ]),
    );

  const [ofAda, ofBob] = await Promise.all([ask(ada), ask(bob)]);

  assert.ok(
    ofAda.every((text) => text.includes('Ada’s')),
    ofAda.join('\n'),
  );
  assert.ok(
    ofBob.every((text) => text.includes('Bob’s')),
    ofBob.join('\n'),
  );
  assert.equal(
    [ada, bob].map((agent) => askedFor('sampling/createMessage', agent).length),
    [4, 4],
  );
});

onPostgres('every request of a client to the next replica, its answers too', async () => {
  const { call, asked } = await connect({ sampled: 'dealt' }, roundRobin(replicas.all));

  for (let turn = 0; turn < 6; turn += 1) {
    assert.match(await call('everything__trigger-sampling-request', { prompt: '?', maxTokens: 5 }), 'dealt');
  }
  assert.is(askedFor('sampling/createMessage', { asked }).length, 6);
});

onPostgres('a client that declared nothing is not asked, and the call ends at once', async () => {
  const session = await openSession(replicas.groupUrl());
  const startedAt = performance.now();

  const { body } = await session.request('tools/call', {
    name: 'fault__ask',
    arguments: { method: 'sampling/createMessage' },
  });

  assert.is(JSON.parse(body.result.content[0].text).error.code, -32601);
  assert.ok(performance.now() - startedAt < 2_000);
});

test.run();
