/**
 * What servers want of clients reaches those that declared it and no others, though all are behind one shared connection:
 * sampling with tools and with context, forms and visits. Those that did not are not bothered, and the server is told why.
 */
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AnsweringClient, connectAnsweringClient } from '../support/answering-client.ts';
import { toolsOf } from '../support/manager-api.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, faultConfig } from '../support/test-servers.ts';
import { type ListeningServer, startHttpFaultServer } from '../support/upstream-fixture.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('who is asked');
const servers = ['shared', 'web', 'own'] as const;
const opened: AnsweringClient[] = [];
let http: ListeningServer;
let service: RunningService;

test.before(async () => {
  http = await startHttpFaultServer(['--sse', 'yes']);
  service = await runService({
    configs: configFiles(
      faultConfig('shared'),
      { name: 'web', transport: 'streamable_http', url: `http://127.0.0.1:${http.port}/mcp` },
      faultConfig('own', ['--outside', 'yes'], { session_mode: 'stateful' }),
    ),
    groups: { 'svc-global': { name: 'svc-global', included_tools: [], included_servers: servers } },
  });
  for (const server of servers) {
    await waitUntil(`${server} is listed`, async () => (await toolsOf(service, server)).length > 0);
  }
});
test.after.each(async () => {
  for (const client of opened.splice(0)) await client.close();
});
test.after(async () => {
  await service?.remove();
  await http?.kill();
});

async function connect(capabilities: ClientCapabilities): Promise<AnsweringClient> {
  const client = await connectAnsweringClient(service.groupUrl(), {
    capabilities,
    answers: { sampled: 'a model', name: 'Grace' },
  });
  opened.push(client);
  return client;
}

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: results of any shape
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

async function ask(
  { call }: AnsweringClient,
  server: string,
  method: string,
  params: object,
): Promise<Answer> {
  return JSON.parse(await call(`${server}__ask`, { method, params }));
}

const sampling = 'sampling/createMessage';
const messages = [{ role: 'user', content: { type: 'text', text: 'What is the weather?' } }];
const weather = { name: 'weather', inputSchema: { type: 'object' } };
const wanted = {
  plainly: { messages, maxTokens: 5 },
  'with tools': { messages, maxTokens: 5, tools: [weather], toolChoice: { mode: 'auto' } },
  'with context': { messages, maxTokens: 5, includeContext: 'allServers' },
};
type How = keyof typeof wanted;

for (const server of servers) {
  test(`sampling of the server “${server}” reaches the client that declared as much, and only that one`, async () => {
    const able: [ClientCapabilities, How[]][] = [
      [{ sampling: { tools: {}, context: {} } }, ['plainly', 'with tools', 'with context']],
      [{ sampling: { tools: {} } }, ['plainly', 'with tools']],
      [{ sampling: { context: {} } }, ['plainly', 'with context']],
      [{ sampling: {} }, ['plainly']],
      [{ roots: {} }, []],
    ];
    const clients = await Promise.all(able.map(([capabilities]) => connect(capabilities)));

    for (const [at, client] of clients.entries()) {
      const can = able[at]?.[1] ?? [];
      for (const how of Object.keys(wanted) as How[]) {
        const { result, error } = await askUntilAttributed(client, server, wanted[how]);
        if (can.includes(how)) assert.is(result?.content.text, 'a model', `${how}: ${error?.message}`);
        else assert.match(error?.message ?? '', /^The client does not support /, how);
      }
      const got = client.asked.map(({ params: { messages: _, maxTokens, _meta, ...rest } }) => rest);
      assert.equal(
        got,
        can.map((how) => {
          const { messages: _, maxTokens, ...rest } = wanted[how];
          return rest;
        }),
      );
    }
  });

  test(`forms and visits of the server “${server}” reach clients that declared them`, async () => {
    const form = {
      message: 'Who?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    };
    const visit = { mode: 'url', message: 'Pay', url: 'https://example.org/', elicitationId: 'one' };
    const [both, forms, visits, none] = await Promise.all([
      connect({ elicitation: { form: {}, url: {} } }),
      connect({ elicitation: { form: {} } }),
      connect({ elicitation: { url: {} } }),
      connect({ sampling: {} }),
    ]);
    const outcomes: string[] = [];
    for (const client of [both, forms, visits, none]) {
      for (const params of [form, visit]) {
        const { result, error } = await askUntilAttributed(client, server, params, 'elicitation/create');
        outcomes.push(result?.action ?? error?.message);
      }
    }

    assert.equal(outcomes, [
      ...['accept', 'accept'],
      ...['accept', 'The client does not support elicitation by url.'],
      ...['The client does not support elicitation by form.', 'accept'],
      ...new Array(2).fill('The client does not support elicitation.'),
    ]);
    assert.equal(
      [both, forms, visits, none].map(({ asked }) => asked.length),
      [2, 1, 1, 0],
    );
  });
}

/** The first question over standard output that nobody can attribute is refused, and from then on sessions are kept apart. */
async function askUntilAttributed(
  client: AnsweringClient,
  server: string,
  params: object,
  method = sampling,
) {
  const first = await ask(client, server, method, params);
  return first.error?.message.startsWith('Several sessions')
    ? await ask(client, server, method, params)
    : first;
}

test('what a server asks outside of calls reaches the client on the stream that it listens to', async () => {
  const client = await connect({ sampling: { tools: {} } });
  const params = wanted['with tools'];

  await client.call('own__ask_outside', { method: sampling, params });
  // A request that comes while a call is in flight goes out on that call's stream, and ends with it.
  await waitUntil('the client is asked', () => client.asked.length > 0);
  const answers = await waitUntil('it is answered', async () => {
    const got: Answer[] = JSON.parse(await client.call('own__answers'));
    return got.length > 0 && got;
  });

  assert.is(answers[0]?.result.content.text, 'a model');
  assert.equal(client.asked[0]?.params.tools, [weather]);
});

test('what a client did not declare is refused outside of calls too', async () => {
  const client = await connect({ sampling: {} });

  await client.call('own__ask_outside', { method: sampling, params: wanted['with tools'] });
  const answers = await waitUntil('it is answered', async () => {
    const got: Answer[] = JSON.parse(await client.call('own__answers'));
    return got.length > 0 && got;
  });

  assert.is(answers[0]?.error?.code, -32602);
  assert.equal(client.asked, []);
});

test.run();
