import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredServer } from '../../../../lib/catalog/catalog.ts';
import { parseServerConfig } from '../../../../lib/config/parse-server-config.ts';
import { toReference } from '../../../../lib/config/references.ts';
import { Failure } from '../../../../lib/failure.ts';
import type { Group } from '../../../../lib/groups/groups.ts';
import type { Deregistration, Registration } from '../../../../lib/registry/registry.ts';
import type { UpstreamStatus } from '../../../../lib/upstreams/upstreams.ts';
import { createManagerFixture, type ManagerParts } from './manager-fixture.ts';

const test = suite('/api/servers');

const failed: UpstreamStatus = {
  state: 'failed',
  lastError: 'Server `demo` is not available: its process ended.',
  connectedAt: undefined,
  missingVariables: ['TOKEN'],
  pid: undefined,
  callsInFlight: 0,
};
const connected: UpstreamStatus = {
  ...failed,
  state: 'connected',
  lastError: undefined,
  connectedAt: new Date('2026-01-02T03:04:05Z'),
  missingVariables: [],
  callsInFlight: 4,
};

/** A registry that notes what it was asked to register, and says it did. */
function acceptingRegistry(asked: unknown[], outcome: Registration['outcome'] = 'registered') {
  return {
    register: async (document: unknown, options?: { dryRun?: boolean }): Promise<Registration> => {
      asked.push({ document, dryRun: options?.dryRun });
      const config = parseServerConfig(document);
      return {
        server: { name: config.name, config, tools: [], leftOut: [], listed: [], problems: [] },
        outcome,
        warnings: ['a warning'],
        addedTools: ['x__new'],
        removedTools: [],
      };
    },
  };
}

test('GET lists every server with status and tool count', async () => {
  const fixture = createManagerFixture({
    upstreams: { status: (name) => (name === 'up' ? connected : failed) },
  });
  fixture.catalog.setTools('up', ['a', 'b']);
  fixture.catalog.setTools('demo', []);

  const { status, body } = await fixture.call('GET', '/api/servers');

  assert.is(status, 200);
  assert.equal(body.servers, [
    {
      name: 'demo',
      description: '',
      transport: 'stdio',
      running: false,
      status: 'failed',
      tool_count: 0,
      last_error: 'Server `demo` is not available: its process ended.',
      command_line: 'true',
      calls: 3,
      errors: 1,
      in_flight: 0,
      missing_variables: ['TOKEN'],
    },
    {
      name: 'up',
      description: '',
      transport: 'stdio',
      running: true,
      status: 'connected',
      tool_count: 2,
      command_line: 'true',
      calls: 3,
      errors: 1,
      in_flight: 4,
      connected_at: '2026-01-02T03:04:05.000Z',
    },
  ]);
});

test('GET shows what a server that failed wrote last, and the line of it that says why', async () => {
  const lastErrorLines = ['Error: API_KEY is not set', '    at main (/srv/server.js:3:9)'];
  const fixture = createManagerFixture({ upstreams: { status: () => ({ ...failed, lastErrorLines }) } });
  fixture.catalog.setTools('demo', []);

  const all = await fixture.call('GET', '/api/servers');
  const one = await fixture.call('GET', '/api/servers/demo');

  for (const record of [all.body.servers[0], one.body.server]) {
    assert.equal(record.last_error_lines, lastErrorLines);
    assert.is(record.last_error_line, 'Error: API_KEY is not set');
  }
});

test('GET shows a server without calls as idle, and a broken file as failed', async () => {
  const fixture = createManagerFixture({
    registry: { brokenFiles: () => new Map([['broken', 'The file is not valid JSON.']]) },
  });
  fixture.catalog.setTools('quiet', ['a']);

  const { body } = await fixture.call('GET', '/api/servers');

  assert.is(body.servers[0].name, 'broken');
  assert.is(body.servers[0].last_error, 'The file is not valid JSON.');
  assert.is(body.servers[1].status, 'idle');
});

test('GET one shows tools, limits, calls, and of variables the names alone', async () => {
  const fixture = createManagerFixture();
  const config = parseServerConfig({
    name: 'api',
    transport: 'streamable_http',
    url: 'http://127.0.0.1:9/',
    headers: { 'X-Key': 'CANARY-1' },
    bearer_token: 'CANARY-2',
  });
  await fixture.catalog.store(config, [
    { name: 'get', definition: '{"name":"get","title":"Get","inputSchema":{"type":"object"}}' },
  ]);
  await fixture.catalog.store(
    parseServerConfig({ name: 'local', transport: 'stdio', command: 'a', env: { A: 'CANARY-3' } }),
  );

  const api = await fixture.call('GET', '/api/servers/api');
  const local = await fixture.call('GET', '/api/servers/local');

  assert.is(api.status, 200);
  assert.equal(api.body.server.tools, [
    { name: 'api__get', description: '', title: 'Get', input_schema: { type: 'object' } },
  ]);
  assert.equal(api.body.server.config.headers, ['X-Key']);
  assert.is(api.body.server.config.has_bearer_token, true);
  assert.is(api.body.server.limits.calls, 32);
  assert.is(api.body.server.url, 'http://127.0.0.1:9/');
  assert.equal([api.body.server.calls, api.body.server.errors], [3, 1]);
  assert.equal(api.body.server.recent_calls, [
    { at: '2026-01-02T03:04:05.000Z', tool: 'get', outcome: 'ok', milliseconds: 12 },
  ]);
  assert.equal(local.body.server.config.env, ['A']);
  assert.not.match(api.text + local.text, 'CANARY');
});

test('GET of an unknown server is server_not_found, whatever its name', async () => {
  const { call } = createManagerFixture();

  for (const path of ['nosuch', '__proto__', 'a%2f..%2fb', '%00', 'x%3fsignal=SIGKILL%26']) {
    const { status, body } = await call('GET', `/api/servers/${path}`);
    assert.is(`${status} ${body.code}`, '404 server_not_found', path);
  }
});

test('POST registers the config and answers 201 for a new server, 200 for a known one', async () => {
  const asked: unknown[] = [];
  const document = { name: 'x', transport: 'streamable_http', url: 'http://127.0.0.1:9/' };

  const created = await createManagerFixture({ registry: acceptingRegistry(asked) }).call(
    'POST',
    '/api/servers',
    document,
  );
  const replaced = await createManagerFixture({ registry: acceptingRegistry(asked, 'replaced') }).call(
    'POST',
    '/api/servers',
    document,
  );

  assert.is(created.status, 201);
  assert.is(replaced.status, 200);
  assert.equal(asked[0], { document, dryRun: false });
  assert.equal(created.body, {
    success: true,
    message: 'Server x is registered with 0 tools.',
    name: 'x',
    outcome: 'registered',
    tool_count: 0,
    tools: [],
    warnings: ['a warning'],
    added_tools: ['x__new'],
    removed_tools: [],
  });
});

test('POST with dry_run changes nothing and is 200', async () => {
  const asked: unknown[] = [];
  const document = { name: 'x', transport: 'streamable_http', url: 'http://127.0.0.1:9/' };

  const { status, body } = await createManagerFixture({ registry: acceptingRegistry(asked) }).call(
    'POST',
    '/api/servers',
    {
      ...document,
      dry_run: true,
    },
  );

  assert.is(status, 200);
  assert.equal(asked, [{ document, dryRun: true }]);
  assert.is(body.dry_run, true);
});

test('POST of a command is refused unless the caller may run programs here', async () => {
  const asked: unknown[] = [];
  const registry = acceptingRegistry(asked);
  const command = { name: 'x', transport: 'stdio', command: 'a' };
  const image = { name: 'x', transport: 'stdio', image: 'a:1', command: 'a' };

  const refused = await createManagerFixture({ registry }).call('POST', '/api/servers', command);
  const allowed = await createManagerFixture({ registry, isAdministrator: true }).call(
    'POST',
    '/api/servers',
    command,
  );
  const contained = await createManagerFixture({ registry }).call('POST', '/api/servers', image);

  assert.is(`${refused.status} ${refused.body.code}`, '403 command_needs_admin');
  assert.is(allowed.status, 201);
  assert.is(contained.status, 201);
  assert.is(asked.length, 2);
});

test('POST of what is no config is 400 with the field named', async () => {
  const { call } = createManagerFixture({ isAdministrator: true });

  assert.is((await call('POST', '/api/servers', '[]')).status, 400);
  assert.match(
    (await call('POST', '/api/servers', { name: 'x', transport: 'stdio', shell: 1 })).body.error,
    '`shell`',
  );
  assert.is(
    (await call('POST', '/api/servers', { name: 'x' }, { 'Content-Type': 'text/plain' })).status,
    415,
  );
});

const group = (name: string, lists: Partial<Group>): Group => ({
  name,
  description: '',
  includedTools: [],
  includedServers: [],
  excludedTools: [],
  includedPrompts: undefined,
  includedResources: undefined,
  exposedNames: new Map(),
  document: { name: 'g', included_tools: [] },
  etag: '"1"',
  modifiedAt: new Date(0),
  ...lists,
});

function someGroups(changed: Map<string, unknown>): ManagerParts['groups'] {
  const all = new Map(
    [
      group('naming', {
        ...{ includedTools: ['other__a', 'demo__a'], excludedTools: ['demo__b'] },
        includedPrompts: ['demo__p', 'other__p'],
      }),
      group('whole', { includedServers: ['demo', 'other'] }),
      group('apart', { includedTools: ['demo2__a', 'demo.x__a'] }),
    ].map((one) => [one.name, one]),
  );
  return {
    names: () => [...all.keys()].sort(),
    read: (name) => ({ group: all.get(name), problem: undefined }),
    change: async (name, edit) => {
      const current = all.get(name);
      if (!current || name === 'whole') throw new Failure('group_unreadable', 'It is broken.');
      changed.set(name, edit(current));
      return current;
    },
  };
}

test('GET one names the groups that would lose it, and which tools with it', async () => {
  const fixture = createManagerFixture({ groups: someGroups(new Map()) });
  fixture.catalog.setTools('demo', ['a', 'b']);

  const { body } = await fixture.call('GET', '/api/servers/demo');

  assert.equal(body.server.affected_groups, {
    naming: ['demo__a'],
    whole: ['demo__a', 'demo__b'],
  });
});

const nothingGone: Deregistration = {
  removed: { containers: [], volumes: [], secrets: 0 },
  kept: [],
  warnings: [],
};

test('DELETE lists what is removed, what stays, and what is removed later', async () => {
  const { call } = createManagerFixture({
    registry: {
      deregister: async () => ({
        removed: { containers: ['svc-mcp-demo'], volumes: ['svc-mcp-demo-01234567'], secrets: 2 },
        kept: [{ type: 'bind', source: '/home/me/project', path: '/work', readOnly: true }],
        warnings: ['Later.'],
      }),
    },
  });

  const { body } = await call('DELETE', '/api/servers/demo');

  assert.equal(body.removed, {
    containers: ['svc-mcp-demo'],
    volumes: ['svc-mcp-demo-01234567'],
    secrets: 2,
  });
  assert.equal(body.kept, [{ type: 'bind', source: '/home/me/project', path: '/work' }]);
  assert.equal(body.warnings, ['Later.']);
});

test('DELETE deregisters and names the groups that mention it, which keep its names', async () => {
  const deregistered: string[] = [];
  const changed = new Map<string, unknown>();
  const { call } = createManagerFixture({
    registry: {
      async deregister(name) {
        deregistered.push(name);
        return nothingGone;
      },
    },
    groups: someGroups(changed),
  });

  const { status, body } = await call('DELETE', '/api/servers/demo');

  assert.is(status, 200);
  assert.equal(body.affected_groups, ['naming', 'whole']);
  assert.equal(deregistered, ['demo']);
  assert.is(changed.size, 0);
});

test('DELETE with forget_tools takes its names out of the groups, as far as they can be written', async () => {
  const changed = new Map<string, unknown>();
  const { call } = createManagerFixture({
    registry: { deregister: async () => nothingGone },
    groups: someGroups(changed),
  });

  const { status } = await call('DELETE', '/api/servers/demo?forget_tools=true');

  assert.is(status, 200);
  assert.equal(
    [...changed],
    [
      [
        'naming',
        {
          includedTools: ['other__a'],
          includedServers: [],
          excludedTools: [],
          includedPrompts: ['other__p'],
        },
      ],
    ],
  );
});

test('DELETE refuses a flag that is neither true nor false, before anything is removed', async () => {
  const { call } = createManagerFixture({
    registry: { deregister: async () => assert.unreachable() ?? nothingGone },
  });

  assert.is((await call('DELETE', '/api/servers/demo?forget_tools=maybe')).status, 400);
});

test('an image that may not be provisioned may not be registered either', async () => {
  const asked: unknown[] = [];
  const manager = createManagerFixture({ registry: acceptingRegistry(asked), allowedImages: ['mcp/*'] });
  const image = (name: string) => ({ name: 'x', transport: 'stdio', image: name });

  const refused = await manager.call('POST', '/api/servers', image('evil.example/backdoor:1'));
  const allowed = await manager.call('POST', '/api/servers', image('mcp/echo:1'));

  assert.is(`${refused.status} ${refused.body.code}`, '403 image_not_allowed');
  assert.is(allowed.status, 201);
  assert.is(asked.length, 1);
});

test('an address that may not be used may not be registered', async () => {
  const asked: unknown[] = [];
  const manager = createManagerFixture({
    registry: acceptingRegistry(asked),
    allowedUpstreams: ['tools.example'],
  });

  const refused = await manager.call('POST', '/api/servers', { name: 'x', url: 'http://evil.example/mcp' });
  const allowed = await manager.call('POST', '/api/servers', { name: 'x', url: 'http://tools.example/mcp' });

  assert.is(`${refused.status} ${refused.body.code}`, '403 upstream_not_allowed');
  assert.is(allowed.status, 201);
  assert.is(asked.length, 1);
});

test("of a container the record has the engine's words, and its name", async () => {
  const manager = createManagerFixture({
    upstreams: { status: () => connected },
    containers: {
      status: (name) => ({ name: `svc-mcp-${name}`, status: 'paused', running: false, imageId: undefined }),
      logs: async () => [],
      followLogs: async () => {},
    },
  });
  manager.catalog.store(parseServerConfig({ name: 'boxed', transport: 'stdio', image: 'a:1' }), []);

  const { body } = await manager.call('GET', '/api/servers/boxed');

  const { status, running, container_name, image } = body.server;
  assert.equal([status, running, container_name, image], ['paused', false, 'svc-mcp-boxed', 'a:1']);
});

test('without a way to an engine nothing is known of a container', async () => {
  const manager = createManagerFixture();
  manager.catalog.store(parseServerConfig({ name: 'boxed', transport: 'stdio', image: 'a:1' }), []);

  const { body } = await manager.call('GET', '/api/servers');

  assert.equal([body.servers[0].status, body.servers[0].running], ['unknown', false]);
});

test('restart answers status and tool count', async () => {
  const fixture = createManagerFixture({
    upstreams: { status: () => connected },
    registry: { restart: async (name) => fixture.catalog.server(name) as StoredServer },
  });
  fixture.catalog.setTools('demo', ['a', 'b']);

  const { body } = await fixture.call('POST', '/api/servers/demo/restart');

  assert.equal(body, {
    success: true,
    message: 'Server demo is restarted.',
    name: 'demo',
    status: 'connected',
    tool_count: 2,
  });
});

test('secrets-status names what each server lacks, never a value', async () => {
  const secrets = { isReachable: async () => true, names: async () => new Set(['KNOWN']) };
  const fixture = createManagerFixture({ secrets });
  const env = { A: toReference('KNOWN'), B: toReference('LACKING'), C: 'CANARY' };
  await fixture.catalog.store(parseServerConfig({ name: 'demo', transport: 'stdio', command: 'a', env }));

  const { body, text } = await fixture.call('GET', '/api/servers/secrets-status');

  assert.equal(body, {
    success: true,
    method: 'env_file',
    reachable: true,
    servers: { demo: { missing: ['LACKING'] } },
  });
  assert.not.match(text, 'CANARY');
});

test('secrets-status while the method is out of reach lacks every name', async () => {
  const names = () => Promise.reject(new Failure('storage_failed', 'It is sealed.'));
  const fixture = createManagerFixture({ secrets: { isReachable: async () => false, names } });
  const env = { A: toReference('KNOWN') };
  await fixture.catalog.store(parseServerConfig({ name: 'demo', transport: 'stdio', command: 'a', env }));

  const { body } = await fixture.call('GET', '/api/servers/secrets-status');

  assert.is(body.reachable, false);
  assert.is(body.problem, 'It is sealed.');
  assert.equal(body.servers.demo.missing, ['KNOWN']);
});

test.run();
