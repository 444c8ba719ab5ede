/** The registry over real servers, real connections and a real database. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCatalog } from '../../../lib/catalog/database-catalog.ts';
import { createConfigFiles } from '../../../lib/config/node-config-files.ts';
import { toReference } from '../../../lib/config/references.ts';
import type { Database } from '../../../lib/database/database.ts';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { silentLog } from '../../../lib/log.ts';
import { createRegistry, type RunningRegistry } from '../../../lib/registry/create-registry.ts';
import { createSeenConfigs } from '../../../lib/registry/reconcile/seen-configs.ts';
import { createRemovedServers } from '../../../lib/registry/removal/removed-servers.ts';
import { createRegistrationJournal } from '../../../lib/registry/secrets/registration-journal.ts';
import { createSecretOwners } from '../../../lib/registry/secrets/secret-owners.ts';
import { createEnvFile } from '../../../lib/secrets/node-env-file.ts';
import { createNodeOpeners } from '../../../lib/services/node-openers.ts';
import { createUpstreams } from '../../../lib/upstreams/create-upstreams.ts';
import { openEmbeddedDatabase } from '../../support/embedded-database.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('registry: real servers');

const everything = (env: Record<string, string> = {}, args: string[] = ['stdio']) => ({
  name: 'everything',
  transport: 'stdio',
  command: process.execPath,
  args: ['node_modules/@modelcontextprotocol/server-everything/dist/index.js', ...args],
  env,
});

let root: string;
let database: Database;
const closers: (() => Promise<void>)[] = [];
/** Ending processes take their time; the next test need not wait for them. */
const closes: Promise<void>[] = [];

test.before(async () => {
  root = await mkdtemp(join(scratchFolder(), 'svc-mcp-registry-'));
  database = await openEmbeddedDatabase(join(root, 'database'));
});
test.before.each(async () => {
  await database.query('delete from servers');
  await rm(join(root, 'configs'), { recursive: true, force: true });
  await rm(join(root, 'secrets.env'), { force: true });
});
test.after.each(async () => {
  for (const close of closers.splice(0)) await close();
});
test.after(async () => {
  await Promise.all(closes);
  await database.close();
  await rm(root, { recursive: true, force: true });
});

/** One service process: everything but its listeners. */
async function startProcess() {
  const bus = createLocalBus({ log: silentLog });
  const catalog = createCatalog({ database, bus, log: silentLog });
  const secrets = createEnvFile({ path: join(root, 'secrets.env'), log: silentLog });
  const upstreams = createUpstreams({
    secrets,
    openers: createNodeOpeners({ installationId: 'registry-test', allowedUpstreams: [] }),
    log: silentLog,
    onTools: (config, tools) => registry.storeTools(config, tools),
    onStatus: (name) => bus.publish({ type: 'server', name }),
  });
  const files = createConfigFiles({ directory: join(root, 'configs'), log: silentLog });
  const registry: RunningRegistry = createRegistry({
    catalog,
    upstreams,
    secrets,
    files,
    journal: createRegistrationJournal({ database, installationId: 'registry-test', newId: randomUUID }),
    owners: createSecretOwners(database),
    removed: createRemovedServers(database),
    seen: createSeenConfigs({ database, installationId: 'registry-test' }),
    groups: { names: () => [], read: () => undefined },
    gatewayCommand: () => 'svc-mcp',
    mounts: { assertAllowed: async () => {} },
    bus,
    log: silentLog,
  });
  await catalog.load();
  await registry.start();
  closers.push(async () => {
    await registry.close();
    closes.push(upstreams.close());
  });
  const call = async (tool: string, args: unknown): Promise<string> => {
    const answer = await upstreams.request({
      server: 'everything',
      sessionId: 's',
      method: 'tools/call',
      params: () => JSON.stringify({ name: tool, arguments: args }),
      signal: new AbortController().signal,
    });
    return 'result' in answer ? answer.result : answer.error;
  };
  return { registry, catalog, upstreams, secrets, call };
}

test('a server is registered, answers, and is there again after a restart without being started', async () => {
  const first = await startProcess();

  const { addedTools, outcome } = await first.registry.register(everything());
  assert.is(outcome, 'registered');
  assert.ok(addedTools.includes('everything__echo'));
  assert.match(await first.call('echo', { message: 'hello' }), 'Echo: hello');

  const second = await startProcess();
  assert.is(second.catalog.server('everything')?.tools.length, addedTools.length);
  assert.is(second.upstreams.status('everything')?.state, 'idle');
  assert.match(await second.call('echo', { message: 'again' }), 'Echo: again');
});

test('a literal value reaches the server and stands in no file but that of the secrets', async () => {
  const { registry, call } = await startProcess();

  await registry.register(everything({ API_KEY: 'CANARY "quoted" $1' }));

  assert.match(await call('get-env', {}), 'CANARY');
  const file = await readFile(join(root, 'configs', 'everything.json'), 'utf8');
  assert.not.match(file, 'CANARY');
  assert.not.match(JSON.stringify(await database.query('select * from servers')), 'CANARY');
  assert.match(await readFile(join(root, 'secrets.env'), 'utf8'), 'CANARY');
});

test('a server that lacks a variable is failed and comes up by itself once it has a value', async () => {
  const { registry, catalog, upstreams, secrets } = await startProcess();

  const { warnings } = await registry.register(everything({ API_KEY: toReference('LATER') }), {
    isAdministrator: true,
  });
  assert.match(warnings.join(), '`LATER`');
  await waitUntil('it is failed', () => upstreams.status('everything')?.state === 'failed');
  assert.equal(upstreams.status('everything')?.missingVariables, ['LATER']);
  await secrets.write(new Map([['LATER', 'v']]));

  await waitUntil('its tools are listed', () => catalog.tool('everything__echo'));
});

test('a replacement serves from one call to the next', async () => {
  const { registry, call } = await startProcess();
  await registry.register(everything());
  let isOver = false;
  const answers: string[] = [];
  const calling = (async () => {
    while (!isOver) answers.push(await call('echo', { message: 'x' }).catch((error: Error) => error.message));
  })();

  const { outcome } = await registry.register(everything({}, ['stdio', '--again']), {
    isAdministrator: true,
    replace: true,
  });
  isOver = true;
  await calling;

  assert.is(outcome, 'replaced');
  assert.ok(answers.length > 0);
  assert.equal([...new Set(answers.map((answer) => answer.includes('Echo: x')))], [true]);
});

test('what one process registers the other serves within a second, and what it removes is gone in both', async () => {
  const one = await startProcess();
  const other = await startProcess();

  await one.registry.register(everything());
  await waitUntil('the other knows it', () => other.catalog.tool('everything__echo'), { limitMs: 1_000 });
  assert.match(await other.call('echo', { message: 'there' }), 'Echo: there');
  await other.registry.deregister('everything');

  await waitUntil('it is gone', () => !one.catalog.server('everything'), { limitMs: 1_000 });
  await Promise.all([one.registry.reconcile(), other.registry.reconcile()]);
  assert.equal([one.catalog.servers(), other.catalog.servers()], [[], []]);
  assert.equal(await database.query('select name from servers'), []);
});

test('a program that does not exist is refused with a sentence, and leaves nothing', async () => {
  const { registry, catalog } = await startProcess();

  const error = await registry
    .register({ name: 'nothing', transport: 'stdio', command: 'sh -c "exit 0"' })
    .catch((reason: Error & { code?: string }) => reason);

  assert.is((error as { code?: string }).code, 'upstream_unavailable');
  assert.match((error as Error).message, 'nothing');
  assert.is(catalog.server('nothing'), undefined);
});

test.run();
