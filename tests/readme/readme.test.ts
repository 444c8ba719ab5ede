import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { documentSuite } from './document-suite.ts';
import type { FreshClone } from './fresh-clone.ts';
import { assertServesTools } from './json-blocks.ts';

const inStack = (file: string, holds: string) => ({ elsewhere: { file: `tests/stack/${file}`, holds } });

const inPackage = (holds: string) => ({ elsewhere: { file: 'tests/package/package.test.ts', holds } });

const memoryFile = `cat > memory.json <<'END'
{
  "name": "memory",
  "description": "Remembers facts",
  "command": "npx",
  "args": ["-y", "@modelcontextprotocol/server-memory"],
  "env": { "MEMORY_FILE_PATH": "/tmp/memory.json" }
}
END`;

const test = documentSuite({
  path: 'README.md',
  commands: [
    ['npm ci', { limitMs: 400_000 }],
    ['npm start', { isService: true }],
    [`npx svc-mcp call everything__echo --args '{"message":"hello"}'`, {}],
    ['npm pack', { stdout: /^svc-mcp-0\.1\.0\.tgz$/m, limitMs: 240_000 }],
    ['npx --yes ./svc-mcp-0.1.0.tgz start', inPackage('npx with the tarball’s name')],
    ['npm install -g ./svc-mcp-0.1.0.tgz', inPackage('a global install')],
    [
      'claude mcp add --transport http svc-global http://127.0.0.1:3700/v0/groups/svc-global/mcp',
      {
        before: ({ gatewayUrl }) => assertServesTools(`${gatewayUrl}/v0/groups/svc-global/mcp`),
        skipped: 'Claude Code is not here; the official client has connected to the address in it',
      },
    ],
    ['npx svc-mcp client cursor', { stdout: /"mcpServers"/, stderr: /\.cursor\/mcp\.json/ }],
    [memoryFile, { after: async ({ dir }) => assert.ok(existsSync(join(dir, 'memory.json'))) }],
    ['npx svc-mcp register -c memory.json --dry-run', { stdout: /^\+ memory__create_entities$/m }],
    [
      'npx svc-mcp register -c memory.json',
      { after: async ({ dir }) => assert.ok(existsSync(join(dir, 'configs/memory.json'))) },
    ],
    ['npx svc-mcp list servers', { stdout: /^memory +stdio +\S+ +9 /m }],
    ['npx svc-mcp try memory__read_graph', { stdout: /"entities"/ }],
    [
      'PORT=9000 npx @modelcontextprotocol/server-everything streamableHttp',
      { goesOnAfter: /listening on port/ },
    ],
    [
      `echo '{"name": "web", "url": "http://127.0.0.1:9000/mcp"}' | npx svc-mcp register -c -`,
      { stdout: /^ {2}web__echo$/m },
    ],
    ['npx svc-mcp deregister web', {}],
    ['npx svc-mcp import ~/.cursor/mcp.json', { stdout: /^my-memory: registered with 9 tools$/m }],
    [
      `echo 'docker run -i --rm --name notes mcp/memory:latest' | npx svc-mcp import -`,
      {
        needs: 'memory image',
        stdout: /^notes: registered with 9 tools$/m,
        after: (clone) => clone.run('npx svc-mcp deregister notes'),
      },
    ],
    ['npx svc-mcp expose memory__read_graph --name recall', { stdout: /agents see it as `recall`/ }],
    [`(umask 077; echo "ADMIN_TOKEN=$(node -p 'crypto.randomBytes(24).toString("hex")')" >> .env)`, {}],
    ['npm start', { before: (clone) => clone.stopService(), isService: true }],
    ['npx svc-mcp list servers --manager http://127.0.0.1:3701', { stdout: /^everything /m }],
    ['make up', inStack('first-up-tests.ts', "checkout.make('up')")],
    ['make status', inStack('first-up-tests.ts', "checkout.make('status')")],
    ['make register', inStack('first-up-tests.ts', "checkout.make('register')")],
    ['make down', inStack('recovery-tests.ts', "checkout.make('down')")],
    ['make clean', inStack('removal-tests.ts', "checkout.make('clean')")],
    ['npx svc-mcp list groups', { stdout: /^svc-global +default +http/m }],
    ['npx svc-mcp list servers', { stdout: /^everything +stdio +\S+ +16 /m }],
    ['npx svc-mcp list tools --group svc-global', { stdout: /^x +everything__echo/m }],
    ['curl -s "http://127.0.0.1:3701/api/servers/everything/logs?tail=20"', { before: withoutAdminToken }],
    ['npx svc-mcp restart everything', {}],
    ['npx svc-mcp expose everything', { stdout: /^No tool of server everything needs that\.$/m }],
    ['curl -s http://127.0.0.1:3701/readyz', { stdout: /^\{"status":"ready"\}$/ }],
    ['npx svc-mcp list groups --manager http://127.0.0.1:3701', {}],
    [
      'MANAGER_PORT=5010 GATEWAY_PORT=8090 npm start',
      { before: (clone) => clone.stopService(), streams: /"msg":"ready"/ },
    ],
    [
      'curl -s http://127.0.0.1:3701/api/status',
      { before: (clone) => clone.startService(), stdout: /"database":\{"ok":true\}/ },
    ],
  ],
});

/** The table is for all; only those who have set one add it. */
async function withoutAdminToken(clone: FreshClone): Promise<void> {
  await clone.stopService();
  rmSync(join(clone.dir, '.env'));
  await clone.startService();
}

test.run();
