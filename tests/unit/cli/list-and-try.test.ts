import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type SeenRequest, type StubAnswer, type StubService, startStubService } from './stub-service.ts';

const test = suite('svc-mcp list, deregister and call');
let service: StubService;

test.before(async () => {
  service = await startStubService();
});

test.before.each(() => service.reset());

test.after(() => service.close());

test('list servers shows a row for each, with the last error', async () => {
  service.answer = () => ({
    body: {
      success: true,
      servers: [
        { name: 'files', transport: 'stdio', status: 'connected', tool_count: 12, description: 'Files' },
        {
          name: 'mail',
          transport: 'streamable_http',
          status: 'failed',
          tool_count: 0,
          last_error: 'refused',
        },
        {
          name: 'off',
          transport: 'stdio',
          status: 'failed',
          tool_count: 0,
          last_error: 'It ended.',
          last_error_line: 'Error: no \u001b[1mkey',
        },
      ],
    },
  });

  const { stdout } = await service.run(['list', 'servers']);

  const rows = stdout.split('\n').map((line) => line.split(/ {2,}/));
  assert.equal(rows[0], ['NAME', 'TRANSPORT', 'STATUS', 'TOOLS', 'NOTE']);
  assert.equal(rows[1], ['files', 'stdio', 'connected', '12', 'Files']);
  assert.equal(rows[2], ['mail', 'streamable_http', 'failed', '0', 'refused']);
  assert.match(rows[3]?.join(' ') ?? '', /It ended\. It wrote: "Error: no \\u001b\[1mkey"\./);
});

test('list tools marks those that are on in the group', async () => {
  const tools = [
    { name: 'files__read', enabled: true, state: 'present', description: 'Reads\na file' },
    { name: 'files__write', enabled: false, state: 'new', description: 'Writes' },
  ];
  service.answer = () => ({ body: { success: true, servers: { files: tools, empty: [] } } });

  const { stdout } = await service.run(['list', 'tools', '--group', 'team a']);

  assert.is(service.seen[0]?.path, '/api/tools?group=team%20a');
  assert.match(stdout, /^x {3}files__read {3}present {2}Reads a file$/m);
  assert.match(stdout, /^ {4}files__write {2}new/m);
});

test('list groups shows where agents connect', async () => {
  service.answer = () => ({ body: groups('http://gateway.test') });

  const { stdout } = await service.run(['list', 'groups']);

  assert.match(stdout, /svc-global {2}default {2}http:\/\/gateway\.test\/v0\/groups\/svc-global\/mcp/);
});

test('deregister removes by name and says so', async () => {
  service.answer = () => ({ body: { success: true, message: 'Server files is removed.' } });

  const { code, stdout } = await service.run(['deregister', 'files']);

  assert.is(code, 0);
  assert.is(stdout, 'Server files is removed.\n');
  assert.is(`${service.seen[0]?.method} ${service.seen[0]?.path}`, 'DELETE /api/servers/files');
});

test('deregister prints what is removed with a container server, and what stays', async () => {
  service.answer = () => ({
    body: {
      success: true,
      message: 'Server boxed is removed.',
      removed: { containers: ['svc-mcp-boxed'], volumes: ['svc-mcp-boxed-3a6eb079'], secrets: 2 },
      kept: [{ type: 'bind', source: '/home/me/project', path: '/work' }],
      warnings: ['Later.'],
    },
  });

  const { stdout, stderr } = await service.run(['deregister', 'boxed']);

  assert.equal(stdout.split('\n'), [
    'Server boxed is removed.',
    '- container svc-mcp-boxed',
    '- volume svc-mcp-boxed-3a6eb079',
    '- 2 secrets',
    'stays: folder /home/me/project',
    '',
  ]);
  assert.match(stderr, 'Warning: Later.');
});

test('call speaks MCP to the group as an agent does, and ends its session', async () => {
  service.answer = agentEndpoint({ content: [{ type: 'text', text: 'Echo: hi' }] });

  const { code, stdout } = await service.run(['call', 'everything__echo', '--args', '{"message":"hi"}'], {
    GATEWAY_TOKEN: 'agent-token',
  });

  assert.is(code, 0);
  assert.is(stdout, 'Echo: hi\n');
  const steps = service.seen.slice(1);
  assert.equal(steps.map(methodOf), ['initialize', 'notifications/initialized', 'tools/call', 'DELETE']);
  for (const step of steps) {
    assert.is(step.path, '/v0/groups/svc-global/mcp');
    assert.is(step.headers.authorization, 'Bearer agent-token');
  }
  for (const step of steps.slice(1)) assert.is(step.headers['mcp-session-id'], 'the-session');
  assert.is(steps[2]?.headers['mcp-protocol-version'], '2025-11-25');
});

test('where agents reach the gateway is not where it is reached from here: call dials INTERNAL_GATEWAY_URL', async () => {
  const answer = agentEndpoint({ content: [{ type: 'text', text: 'Echo: hi' }] });
  const outside = 'http://outside.test';
  service.answer = (request) =>
    request.path === '/api/groups' ? { body: groups(outside) } : answer(request);
  const environment = { INTERNAL_GATEWAY_URL: service.url };

  const { stdout, stderr } = await service.run(['call', 'everything__echo'], environment);
  const client = await service.run(['client', 'curl'], environment);
  const wrong = await service.run(['call', 'x__y'], { INTERNAL_GATEWAY_URL: 'gateway:3700' });

  assert.is(stdout, 'Echo: hi\n', stderr);
  assert.match(client.stdout, `${outside}/v0/groups/svc-global/mcp`);
  assert.is(wrong.code, 1);
  assert.match(wrong.stderr, /^INTERNAL_GATEWAY_URL.* expected an address/);
});

test('call sends arguments as they were typed, large numbers too', async () => {
  service.answer = agentEndpoint({ content: [] });

  await service.run(['call', 'x__y', '--args', '{"id": 12345678901234567890}']);

  assert.match(service.seen[3]?.body ?? '', '{"name":"x__y","arguments":{"id": 12345678901234567890}}');
});

test('call --json prints the result as it came, unknown fields and large numbers too', async () => {
  const raw = '{"content":[],"_meta":{"n":12345678901234567890}}';
  service.answer = (request) =>
    methodOf(request) === 'tools/call'
      ? { body: `{"jsonrpc":"2.0","id":2,"result":${raw}}` }
      : agentEndpoint({})(request);

  const { stdout } = await service.run(['call', 'x__y', '--json']);

  assert.is(stdout, `${raw}\n`);
});

test('what a server sends stays text in a terminal: in JSON of the same meaning, in text and in errors', async () => {
  const result = { content: [{ type: 'text', text: 'a\u009b31mb\u007f\u001b[2J' }] };
  service.answer = agentEndpoint(result);
  const json = await service.run(['call', 'x__y', '--json']);
  const text = await service.run(['call', 'x__y']);
  service.answer = agentEndpoint(undefined, { code: -32000, message: 'no\u001b]0;title\u0007 \u009b2J' });
  const failed = await service.run(['call', 'x__y']);

  for (const { stdout, stderr } of [json, text, failed]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    assert.not.match(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  }
  assert.equal(JSON.parse(json.stdout), result);
  assert.match(text.stdout, 'a\\u009b31mb');
  assert.match(failed.stderr, 'no\\u001b]0;title');
});

test('call says what an image is instead of printing its bytes', async () => {
  service.answer = agentEndpoint({
    content: [
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'resource_link', uri: 'file:///a.txt' },
      { type: 'resource', resource: { uri: 'file:///b.txt', text: 'inside b' } },
    ],
  });

  const { stdout } = await service.run(['call', 'x__y']);

  assert.is(stdout, '[image, image/png, 3 bytes]\n[resource_link, file:///a.txt]\ninside b\n');
});

test('a result without content shows its structured part', async () => {
  service.answer = agentEndpoint({ content: [], structuredContent: { sum: 3 } });

  const { stdout } = await service.run(['call', 'x__y']);

  assert.equal(JSON.parse(stdout), { sum: 3 });
});

test("a tool's own error is printed, and exits 1", async () => {
  service.answer = agentEndpoint({ content: [{ type: 'text', text: 'no such file' }], isError: true });

  const { code, stdout, stderr } = await service.run(['call', 'x__y']);

  assert.is(code, 1);
  assert.is(stdout, 'no such file\n');
  assert.match(stderr, /failed/);
});

test("the gateway's refusal of a call is the sentence on stderr", async () => {
  service.answer = agentEndpoint(undefined, { code: -32602, message: 'Unknown tool: x__z' });

  const { code, stdout, stderr } = await service.run(['call', 'x__z']);

  assert.is(code, 1);
  assert.is(stdout, '');
  assert.is(stderr, 'Unknown tool: x__z\n');
  assert.is(service.seen.at(-1)?.method, 'DELETE');
});

test('a group that is not there is refused with the names of those that are', async () => {
  service.answer = agentEndpoint({ content: [] });

  const { code, stderr } = await service.run(['call', 'x__y', '--group', 'nosuch']);

  assert.is(code, 1);
  assert.match(stderr, 'svc-global');
});

function groups(gatewayUrl: string) {
  return { success: true, groups: ['svc-global'], default: 'svc-global', gateway_url: gatewayUrl };
}

/** Manager and gateway in one: the group list, and an MCP endpoint with this outcome of `tools/call`. */
function agentEndpoint(result?: object, error?: object): (request: SeenRequest) => StubAnswer {
  return (request) => {
    if (request.path === '/api/groups') return { body: groups(service.url) };
    switch (methodOf(request)) {
      case 'initialize':
        return {
          headers: { 'Mcp-Session-Id': 'the-session' },
          body: { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-11-25' } },
        };
      case 'tools/call':
        return { body: { jsonrpc: '2.0', id: 2, ...(error ? { error } : { result }) } };
      default:
        return { status: 202, body: '' };
    }
  };
}

function methodOf({ method, body }: SeenRequest): string {
  return body === '' ? method : JSON.parse(body).method;
}

test('try sends the arguments as they were typed, prints the result, and passes warnings on', async () => {
  service.answer = () => ({
    body: {
      success: true,
      tried: true,
      warnings: ['Its definition is another one.'],
      result: { content: [{ type: 'text', text: 'hello' }] },
    },
  });

  const { code, stdout, stderr } = await service.run([
    ...['try', 'files__read', '{"id": 12345678901234567890}', '--group', 'team'],
  ]);

  assert.is(code, 0, stderr);
  assert.is(stdout, 'hello\n');
  assert.is(stderr, 'Its definition is another one.\n');
  const [seen] = service.seen;
  assert.is(`${seen?.method} ${seen?.path}`, 'POST /api/tools/files__read/try');
  assert.is(seen?.body, '{"arguments":{"id": 12345678901234567890},"group":"team"}');
});

test('try ends with 1 when the tool says that it failed, and with 2 for arguments that are no object', async () => {
  service.answer = () => ({
    body: { success: true, result: { content: [{ type: 'text', text: 'no' }], isError: true } },
  });

  const failed = await service.run(['try', 'files__read']);
  const wrong = await service.run(['try', 'files__read', '[1]']);

  assert.equal([failed.code, failed.stdout], [1, 'no\n']);
  assert.is(wrong.code, 2);
  assert.match(wrong.stderr, /JSON object/);
});

test.run();
