import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { documentSuite } from './document-suite.ts';
import type { FreshClone } from './fresh-clone.ts';
import { assertServesTools } from './json-blocks.ts';

const inStack = (file: string, holds: string) => ({ elsewhere: { file: `tests/stack/${file}`, holds } });

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
    [`npx gateway call everything__echo --args '{"message":"hello"}'`, {}],
    [
      'claude mcp add --transport http svc-global http://127.0.0.1:3700/v0/groups/svc-global/mcp',
      {
        before: ({ gatewayUrl }) => assertServesTools(`${gatewayUrl}/v0/groups/svc-global/mcp`),
        skipped: 'Claude Code is not here; the official client has connected to the address in it',
      },
    ],
    ['npx gateway client cursor', { stdout: /"mcpServers"/, stderr: /\.cursor\/mcp\.json/ }],
    [memoryFile, { after: async ({ dir }) => assert.ok(existsSync(join(dir, 'memory.json'))) }],
    ['npx gateway register -c memory.json --dry-run', { stdout: /^\+ memory__create_entities$/m }],
    [
      'npx gateway register -c memory.json',
      { after: async ({ dir }) => assert.ok(existsSync(join(dir, 'configs/memory.json'))) },
    ],
    ['npx gateway list servers', { stdout: /^memory +stdio +\S+ +9 /m }],
    [
      'PORT=9000 npx @modelcontextprotocol/server-everything streamableHttp',
      { goesOnAfter: /listening on port/ },
    ],
    [
      `echo '{"name": "web", "url": "http://127.0.0.1:9000/mcp"}' | npx gateway register -c -`,
      { stdout: /^ {2}web__echo$/m },
    ],
    ['npx gateway deregister web', {}],
    ['npx gateway import ~/.cursor/mcp.json', { stdout: /^my-memory: registered with 9 tools$/m }],
    [
      `echo 'docker run -i --rm --name notes mcp/memory:latest' | npx gateway import -`,
      {
        needs: 'memory image',
        stdout: /^notes: registered with 9 tools$/m,
        after: (clone) => clone.run('npx gateway deregister notes'),
      },
    ],
    [`(umask 077; echo "ADMIN_TOKEN=$(node -p 'crypto.randomBytes(24).toString("hex")')" >> .env)`, {}],
    ['npm start', { before: (clone) => clone.stopService(), isService: true }],
    ['npx gateway list servers --manager http://127.0.0.1:3701', { stdout: /^everything /m }],
    ['make up', inStack('first-up-tests.ts', "checkout.make('up')")],
    ['make status', inStack('first-up-tests.ts', "checkout.make('status')")],
    ['make register', inStack('first-up-tests.ts', "checkout.make('register')")],
    ['make down', inStack('recovery-tests.ts', "checkout.make('down')")],
    ['make clean', inStack('removal-tests.ts', "checkout.make('clean')")],
    ['npx gateway list groups', { stdout: /^svc-global +default +http/m }],
    ['npx gateway list servers', { stdout: /^everything +stdio +\S+ +16 /m }],
    ['npx gateway list tools --group svc-global', { stdout: /^x +everything__echo/m }],
    ['curl -s "http://127.0.0.1:3701/api/servers/everything/logs?tail=20"', { before: withoutAdminToken }],
    ['npx gateway restart everything', {}],
    ['curl -s http://127.0.0.1:3701/readyz', { stdout: /^\{"status":"ready"\}$/ }],
    ['npx gateway list groups --manager http://127.0.0.1:3701', {}],
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
