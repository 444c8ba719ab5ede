import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { main } from '../../../lib/cli/main.ts';
import { type RunningService, runService } from '../../support/run-service.ts';

/** The command line, in this process, against the real service and real MCP servers. */
const test = suite('gateway and the service');
const everything = {
  name: 'everything',
  transport: 'stdio',
  description: 'The official test server',
  command: process.execPath,
  args: ['node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'stdio'],
};
let service: RunningService;

test.before(async () => {
  service = await runService({ database: 'embedded' });
});

test.after(() => service?.remove());

function file(name: string, content: unknown): string {
  const path = join(service.dir, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

async function gateway(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' };
  const code = await main(args, {
    environment: { DATA_DIR: service.dataDir },
    directory: service.dir,
    command: 'svc-mcp',
    startCommand: 'npm start',
    version: '0',
    stdout: (text) => {
      written.stdout += text;
    },
    stderr: (text) => {
      written.stderr += text;
    },
  });
  return { code, ...written };
}

async function serverNames(): Promise<string[]> {
  const { stdout } = await gateway('list', 'servers', '--json');
  return JSON.parse(stdout).servers.map(({ name }: { name: string }) => name);
}

test('a dry run shows the tools and registers nothing', async () => {
  const path = file('everything.json', everything);

  const { code, stdout, stderr } = await gateway('register', '-c', path, '--dry-run');

  assert.is(code, 0, stderr);
  assert.match(stdout, '+ everything__echo');
  assert.equal(await serverNames(), []);
  assert.not.ok(existsSync(join(service.configsDir, 'everything.json')));
});

test('register lists the tools and keeps the config', async () => {
  const path = file('everything.json', everything);

  const { code, stdout, stderr } = await gateway('register', '-c', path);

  assert.is(code, 0, stderr);
  assert.match(stdout, '  everything__echo\n');
  assert.equal(await serverNames(), ['everything']);
  assert.ok(existsSync(join(service.configsDir, 'everything.json')));
});

test('a tool that is ticked can be called; one that is not is unknown', async () => {
  await fetch(`${service.managerUrl}/api/tools/enable`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"tool":"everything__echo"}',
  });

  const called = await gateway('call', 'everything__echo', '--args', '{"message":"hello"}');
  const hidden = await gateway('call', 'everything__get-sum', '--args', '{"a":1,"b":2}');

  assert.is(called.code, 0, called.stderr);
  assert.match(called.stdout, 'hello');
  assert.is(hidden.code, 1);
  assert.is(hidden.stdout, '');
  assert.is.not(hidden.stderr, '');
});

test('groups and client name the endpoint that agents use', async () => {
  const groups = await gateway('list', 'groups');
  const client = await gateway('client', 'cursor');

  assert.match(groups.stdout, service.groupUrl());
  assert.is(JSON.parse(client.stdout).mcpServers['svc-global'].url, service.groupUrl());
});

test('configs that cannot be registered are refused with a sentence and leave nothing behind', async () => {
  const wrong: [string, unknown][] = [
    ['no fields', {}],
    ['no command', { name: 'x', transport: 'stdio' }],
    ['unknown transport', { name: 'x', transport: 'telepathy', command: 'a' }],
    ['separator in the name', { name: 'a__b', transport: 'stdio', command: 'a' }],
    ['unknown field', { name: 'x', transport: 'stdio', command: 'a', colour: 'red' }],
    ['no such program', { name: 'x', transport: 'stdio', command: '/no/such/binary' }],
    ['a shell line', { name: 'x', transport: 'stdio', command: `sh -c "touch ${service.dir}/pwned"` }],
    ['an echo', { name: 'x', transport: 'stdio', command: '/bin/cat' }],
    ['larger than a body', { name: 'x', transport: 'stdio', command: 'a', description: 'd'.repeat(2 ** 21) }],
  ];

  for (const [what, config] of wrong) {
    const { code, stderr } = await gateway('register', '-c', file('wrong.json', config));
    assert.is(code, 1, what);
    assert.is(stderr.trim().split('\n').length, 1, `${what}: ${stderr}`);
    assert.not.match(stderr, /\.ts:\d|socket hang up|EPIPE|ECONNRESET/, what);
  }

  assert.equal(await serverNames(), ['everything']);
  assert.not.ok(existsSync(join(service.dir, 'pwned')));
});

test('a program cannot be registered from the network without the admin token', async () => {
  const path = file('afar.json', { ...everything, name: 'afar' });

  const { code, stderr } = await gateway('register', '-c', path, '--manager', service.managerUrl);

  assert.is(code, 1);
  assert.match(stderr, /token/i);
  assert.equal(await serverNames(), ['everything']);
});

test('import brings in what works and says what does not', async () => {
  const { command, args } = everything;
  const path = file('claude.json', {
    mcpServers: { 'My Server': { command, args }, bad: { command: '/no/such' } },
  });

  const { code, stdout, stderr } = await gateway('import', path);

  assert.is(code, 1);
  assert.match(stdout, 'My-Server: registered with');
  assert.match(stderr, /^bad: /m);
  assert.equal(await serverNames(), ['My-Server', 'everything']);
});

test('deregister removes a server; a second time there is none', async () => {
  const first = await gateway('deregister', 'My-Server');
  const second = await gateway('deregister', 'My-Server');

  assert.is(first.code, 0, first.stderr);
  assert.is(second.code, 1);
  assert.is(second.stderr.trim().split('\n').length, 1);
  assert.equal(await serverNames(), ['everything']);
});

test('when the service is gone, every command says so', async () => {
  await service.stop();

  const { code, stderr } = await gateway('list', 'tools');

  assert.is(code, 1);
  assert.match(stderr, 'npm start');
});

test.run();
