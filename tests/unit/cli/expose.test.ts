import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type SeenRequest, type StubService, startStubService } from './stub-service.ts';

const test = suite('svc-mcp expose');
let service: StubService;

test.before(async () => {
  service = await startStubService();
});
test.before.each(() => service.reset());
test.after(() => service.close());

const greet = 'go__greet (a/b)';
const path = `/api/tools/${encodeURIComponent(greet)}/expose`;

const listing = {
  success: true,
  servers: {
    go: [
      { name: 'go__ping', exposed_name: 'ping' },
      { name: greet, suggested_name: 'go_greet_a_b' },
      { name: 'go__e\u001b[31m', suggested_name: 'go_e_31m', exposed_name: 'e.e' },
    ],
    fine: [{ name: 'fine__one' }],
    empty: [],
  },
};

/** As the service does. */
function answer({ method, path: asked, body }: SeenRequest) {
  if (method === 'GET') return { body: listing };
  const tool = decodeURIComponent(asked.split('/')[3] ?? '');
  const { name = 'suggested' } = JSON.parse(body);
  const exposed_name = name ?? undefined;
  return { body: { success: true, tool, exposed_name, message: `Agents see it by ${exposed_name}.` } };
}

const sent = () => service.seen.map(({ method, path: asked, body }) => `${method} ${asked} ${body}`);

test('a tool gets the suggested name, one of one’s own, or its full one again', async () => {
  service.answer = answer;
  const { code, stdout } = await service.run(['expose', greet]);
  await service.run(['expose', greet, '--group', 'a b', '--name', 'hello']);
  await service.run(['expose', greet, '-g', 'ops', '--reset']);

  assert.equal([code, stdout], [0, 'Agents see it by suggested.\n']);
  assert.equal(sent(), [
    `POST ${path} {}`,
    `POST ${path} {"group":"a b","name":"hello"}`,
    `POST ${path} {"group":"ops","name":null}`,
  ]);
});

test('of a server each tool whose name is refused gets another', async () => {
  service.answer = answer;
  const { code, stdout } = await service.run(['expose', 'go', '--group', 'ops']);

  assert.equal([code, stdout], [0, `${greet}  ->  suggested\ngo__e\\u001b[31m  ->  suggested\n`]);
  assert.equal(sent(), [
    'GET /api/tools?group=ops ',
    `POST ${path} {"group":"ops"}`,
    'POST /api/tools/go__e%1B%5B31m/expose {"group":"ops"}',
  ]);
});

test('of a server all names that were given are taken back', async () => {
  service.answer = answer;
  const { stdout } = await service.run(['expose', 'go', '--reset']);

  assert.is(stdout, 'go__ping  ->  its full name\ngo__e\\u001b[31m  ->  its full name\n');
});

test('a server whose names are all well is left alone, and says so', async () => {
  service.answer = answer;
  for (const server of ['fine', 'empty']) {
    const { code, stdout } = await service.run(['expose', server]);
    assert.equal([code, stdout], [0, `No tool of server ${server} needs that.\n`]);
  }
  assert.equal(sent(), ['GET /api/tools ', 'GET /api/tools ']);
});

test('with --json the answer is printed as it is', async () => {
  service.answer = answer;
  const one = await service.run(['expose', greet, '--json']);
  const all = await service.run(['expose', 'go', '--json']);

  assert.equal(JSON.parse(one.stdout).exposed_name, 'suggested');
  assert.equal(JSON.parse(all.stdout).tools, [
    { tool: greet, exposed_name: 'suggested' },
    { tool: 'go__e\u001b[31m', exposed_name: 'suggested' },
  ]);
});

test('what is neither tool nor server is refused in the words of the service', async () => {
  service.answer = (request) =>
    request.method === 'GET'
      ? { body: listing }
      : {
          status: 404,
          body: {
            success: false,
            error: 'No server offers a tool named `constructor`.',
            code: 'tool_not_found',
          },
        };
  const { code, stderr } = await service.run(['expose', 'constructor']);

  assert.equal([code, stderr], [1, 'No server offers a tool named `constructor`.\n']);
});

test('what goes together with nothing is wrong usage, and nothing is asked', async () => {
  service.answer = answer;
  const both = await service.run(['expose', greet, '--name', 'x', '--reset']);
  const server = await service.run(['expose', 'go', '--name', 'x']);
  const nothing = await service.run(['expose']);

  assert.equal([both.code, server.code, nothing.code], [2, 2, 2]);
  assert.match(server.stderr, 'is for one tool');
  assert.equal(sent(), ['GET /api/tools ']);
});

test.run();
