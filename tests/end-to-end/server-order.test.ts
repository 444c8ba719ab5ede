/** Models read the order of tools as a ranking: a server's own one reaches agents, on every replica, always. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listingConfig, writeTools } from '../dashboard/support/servers.ts';
import { connectClient } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite("a server's own order");
const folder = mkdtempSync(join(tmpdir(), 'svc-order-'));
const path = join(folder, 'ranked.json');
const first = ['search', 'open', 'close', 'archive', 'zap', 'bulk'];
const second = ['zap', 'bulk', 'search', 'archive', 'open', 'close'];
const database = await createTestDatabase('order');
/** Pages of two. */
const env = { TOOLS_PAGE_SIZE: '2' };
let replicas: RunningService[] = [];

function list(names: readonly string[]): void {
  writeTools(
    path,
    names.map((name) => ({ name, inputSchema: { type: 'object' } })),
  );
}

test.before(async () => {
  if (database === undefined) return;
  list(first);
  const one = await runService({
    database,
    env,
    configs: configFiles(listingConfig('ranked', path)),
    groups: { 'svc-global': { name: 'svc-global', included_tools: [], included_servers: ['ranked'] } },
  });
  replicas = [one, await runService({ database, env, shareFoldersWith: one })];
});

test.after(async () => {
  for (const replica of replicas.reverse()) await replica.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function orderAt(replica: RunningService): Promise<string[]> {
  const { client, close } = await connectClient(replica.groupUrl());
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools({ cursor });
    names.push(...page.tools.map(({ name }) => name.replace('ranked__', '')));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  await close();
  return names;
}

async function untilAllList(order: readonly string[]): Promise<void> {
  for (const [at, replica] of replicas.entries()) {
    await waitUntil(`replica ${at} lists ${order}`, async () => `${await orderAt(replica)}` === `${order}`, {
      everyMs: 100,
    });
  }
}

/** A test that is passed over, in plain sight, where there is no Postgres. */
const onPostgres = database === undefined ? test.skip : test;

onPostgres('is what agents of every replica list, page by page', () => untilAllList(first));

onPostgres('is followed when the server changes it, and nothing else', async () => {
  list(second);
  await untilAllList(second);
});

onPostgres('is there after a restart, while the server is down as well', async () => {
  rmSync(path);
  for (const replica of replicas) await replica.restart();
  await untilAllList(second);
  const flat = await (await fetch(`${replicas[1]?.gatewayUrl}/api/v0/tools`)).json();

  assert.equal(
    flat.map(({ name }: { name: string }) => name),
    [...second].sort().map((name) => `ranked__${name}`),
    'the flat list stays by name',
  );
});

test.run();
