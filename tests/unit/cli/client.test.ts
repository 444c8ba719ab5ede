import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clientNames } from '../../../lib/clients/client-configuration.ts';
import { type StubService, startStubService } from './stub-service.ts';

const test = suite('svc-mcp client');
const endpoint = 'http://127.0.0.1:3700/v0/groups/research/mcp';
let service: StubService;

test.before(async () => {
  service = await startStubService();
  service.answer = () => ({
    body: {
      success: true,
      groups: ['research', 'svc-global'],
      default: 'svc-global',
      gateway_url: 'http://127.0.0.1:3700',
    },
  });
});

test.after(() => service.close());

async function configuration(client: string, environment: Record<string, string> = {}): Promise<string> {
  const { code, stdout } = await service.run(['client', client, '--group', 'research'], environment);
  assert.is(code, 0);
  return stdout;
}

test('cursor gets a url', async () => {
  assert.equal(JSON.parse(await configuration('cursor')), { mcpServers: { research: { url: endpoint } } });
});

test('vscode gets a server of type http', async () => {
  assert.equal(JSON.parse(await configuration('vscode')), {
    servers: { research: { type: 'http', url: endpoint } },
  });
});

test('windsurf gets a serverUrl', async () => {
  assert.equal(JSON.parse(await configuration('windsurf')), {
    mcpServers: { research: { serverUrl: endpoint } },
  });
});

test('claude gets a program between, because its file knows no addresses', async () => {
  assert.equal(JSON.parse(await configuration('claude')), {
    mcpServers: { research: { command: 'npx', args: ['-y', 'mcp-remote', endpoint] } },
  });
});

test('claude-code gets a command', async () => {
  assert.is(await configuration('claude-code'), `claude mcp add --transport http research ${endpoint}\n`);
});

test('curl gets commands that a shell can parse', async () => {
  const commands = await configuration('curl');

  execFileSync('sh', ['-n'], { input: commands });
  assert.match(commands, 'tools/list');
});

test('the default group is used when none is named, and where to put it goes to stderr', async () => {
  const { stdout, stderr } = await service.run(['client', 'cursor']);

  assert.match(stdout, '/v0/groups/svc-global/mcp');
  assert.match(stderr, 'mcp.json');
});

test('a token is referred to in every configuration, never printed', async () => {
  for (const client of clientNames) {
    const text = await configuration(client, { GATEWAY_TOKEN: 'very-secret' });
    assert.match(text, /GATEWAY_TOKEN|gateway-token/);
    assert.not.match(text, 'very-secret');
  }
});

test('an unknown client is refused with the names of those there are', async () => {
  const { code, stderr } = await service.run(['client', 'emacs']);

  assert.is(code, 2);
  assert.match(stderr, 'windsurf');
});

test.run();
