/**
 * A deployment of a version before gateways needed no folders (a manager and two gateways on shared folders) is upgraded
 * one process after the other, in both orders: nothing else is changed, and nobody notices. Then a gateway gives up its
 * folders.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Queryable } from '../../lib/database/database.ts';
import { readMigrations } from '../../lib/database/node-migrations.ts';
import { childrenOf } from '../support/child-processes.ts';
import { earlierSources } from '../support/earlier-sources.ts';
import { withDatabase } from '../support/installation.ts';
import {
  type InstallationView,
  type OpenSession,
  type OpenSessions,
  readView,
  request,
} from '../support/installation-view.ts';
import { readKeptRows } from '../support/kept-rows.ts';
import { manage, replaceTools, switchTool, toolsOf } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { type NotesServer, startNotesServer } from '../support/notes-server.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { projectDir } from '../support/service-command.ts';
import {
  layOutSplit,
  type SplitInstallation,
  type SplitProcess,
  type SplitRun,
} from '../support/split-installation.ts';
import { openStreamClient, type StreamClient } from '../support/stream-client.ts';
import { faultPath } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  createRotation,
  type Rotation,
  startWorkingAgent,
  type WorkingAgent,
} from '../support/working-agent.ts';

/** The last commit without copies of groups in the database. It runs, so what it wrote is not enough. */
const commit = 'a196b0edc1a3af117df9027309f7111452a9f5ca';
const today = { checkout: projectDir };
/** In which a toggle reaches agents, and a change of a file its copy. */
const [toggleMs, copyMs] = [1000, 5000];
const patient = { limitMs: 30_000 };
const secrets = { CRM_TOKEN: 'made up: token of crm', notesKey: 'made-up key of notes' };
const research = `{
    "name": "research",
    "owner": "A field of our own, that nobody else knows",
    "included_tools": [ "own__log", "own__pid", "crm__echo" ],
    "included_servers": ["offering"],
    "included_resources": ["r://one"],
    "exposed_names": { "crm__echo": "say" }
}`;

const earlier = earlierSources(commit);
const orders = ['gateways first', 'the manager first'] as const;
type Order = (typeof orders)[number];
// All before the first suite: a suite begins as soon as the file waits for anything.
const databases = await Promise.all(orders.map((_, at) => earlier && createTestDatabase(`shared_${at}`)));
for (const [at, order] of orders.entries()) {
  const test = suite(`upgrade with shared folders, ${order}`);
  const database = databases[at];
  if (earlier !== undefined && database !== undefined) upgrade(test, order, { earlier, database });
  else test.skip('needs a Postgres, and the earlier version in the history of this clone', () => {});
  test.run();
}

interface World {
  readonly split: SplitInstallation;
  readonly notes: NotesServer;
  readonly rotation: Rotation;
  readonly agents: readonly WorkingAgent[];
  /** One at each gateway. */
  readonly watchers: readonly Watcher[];
  readonly sessions: OpenSessions;
  readonly before: {
    readonly view: InstallationView;
    readonly files: Record<string, string>;
    readonly rows: Record<string, readonly string[]>;
  };
  close(): Promise<void>;
}

/** A client that stays at one gateway. */
interface Watcher {
  readonly gateway: SplitProcess;
  readonly session: OpenSession;
  readonly stream: StreamClient;
}

interface Versions {
  /** The sources of the earlier version. */
  readonly earlier: string;
  /** The URL of an empty database. */
  readonly database: string;
}

function upgrade(test: ReturnType<typeof suite>, order: Order, { earlier, database }: Versions): void {
  /** What processes of the earlier version wrote while others, and the schema, were of today. */
  const earlierLogs: string[] = [];
  let world: World;

  test.before(async () => {
    world = await makeWorld(database, earlier);
  });

  test.after(() => world?.close());

  for (const [name, isUpgraded] of turnsIn(order)) {
    const what = isUpgraded ? 'is upgraded' : 'is started again as it was';
    test(`the ${name} ${what}: sessions, lists, calls, secrets, toggles and files are as before`, async () => {
      const process = processesOf(world).find((one) => one.name === name) as SplitProcess;

      earlierLogs.push(await restart(world, process, isUpgraded ? today : { checkout: earlier }));

      assert.not.match(process.output(), 'come from the database');
      await assertServed(world);
      if (name === 'manager') await assertCopied(world, database);
    });
  }

  test('processes of the earlier version wrote no error beside those of today', () => {
    assert.is(earlierLogs.length, turnsIn(order).length);
    assert.equal(earlierLogs.flatMap(errorsIn), []);
  });

  test('every migration of today is applied, and no row that mattered is gone', async () => {
    const after = await onDatabase(database, readKeptRows);
    const applied = await onDatabase(database, (opened) =>
      opened.query<{ name: string }>('select name from schema_migrations order by name'),
    );

    const migrations = await readMigrations();
    assert.equal(
      applied.map(({ name }) => name),
      migrations.map(({ name }) => name),
    );
    for (const [table, rows] of Object.entries(world.before.rows)) {
      // What clients have received goes.
      if (table === 'stream_events') continue;
      const kept = new Set(after[table]);
      assert.equal(
        rows.filter((row) => !kept.has(row)),
        [],
        `rows of ${table} that are gone`,
      );
    }
  });

  test('a gateway gives up its folders, and the same sessions go on there', async () => {
    const [first] = world.split.gateways;
    const { noFolder } = world.split;
    const nothing = { DATA_DIR: undefined, GROUPS_DIR: undefined, CONFIGS_DIR: undefined };
    const env = { ...nothing, SECRETS_FILE: undefined, GATEWAY_HOME: noFolder };

    await restart(world, first, { ...today, env });

    assert.match(first.output(), 'come from the database');
    await assertServed(world, first);
    await assertCopied(world, database);
    assert.not.ok(existsSync(noFolder));
  });

  test('processes of today wrote no error', () => {
    assert.equal(
      processesOf(world).flatMap((process) => errorsIn(process.output())),
      [],
    );
  });

  test('agents that worked all the while had every answer, the lists as people set them, and their log level', async () => {
    const [working, researching] = world.agents as [WorkingAgent, WorkingAgent];
    const entries = ['info', 'error'].map((level) => ({ level, data: `of level ${level}` }));

    await researching.client.callTool({ name: 'own__log', arguments: { entries } });

    assert.ok(researching.heard.includes('notifications/message of level error'));
    assert.not.ok(researching.heard.includes('notifications/message of level info'));
    assert.ok(researching.heard.includes('notifications/tools/list_changed'));
    for (const { failures } of [working, researching]) assert.equal(failures, []);
    // Nobody toggled anything in the first one's group, and one tool in the other's.
    assert.is(working.lists.size, 1);
    assert.is(researching.lists.size, 2);
  });
}

type Turn = readonly [name: string, isUpgraded: boolean];

/** Which process is stopped, and whether what starts in its place is of today. */
function turnsIn(order: Order): readonly Turn[] {
  const [first, second, manager] = [
    ['first gateway', true],
    ['second gateway', true],
    ['manager', true],
  ] as const;
  // A process that crashes before its turn comes back on the schema of today.
  const again = ['second gateway', false] as const;
  return order === 'gateways first' ? [first, second, manager] : [manager, again, first, second];
}

/** The earlier version, with all that agents and people have done. */
async function makeWorld(database: string, earlier: string): Promise<World> {
  const notes = await startNotesServer('first');
  const split = await layOutSplit(database, operatorFiles());
  const rotation = createRotation(split.gateways.map(({ url }) => url));
  const agents: WorkingAgent[] = [];
  const watchers: Watcher[] = [];
  const close = async () => {
    await Promise.all(agents.map((agent) => agent.close()));
    for (const { stream } of watchers) stream.close();
    await notes.close();
    await split.remove();
  };
  try {
    await Promise.all(
      [split.manager, ...split.gateways].map((process) => process.start({ checkout: earlier })),
    );
    await register(split, notes);
    for (const gateway of split.gateways) watchers.push(await watch(gateway));
    await changeTool(split, notes);
    for (const [group, tool] of [
      ['svc-global', 'notes__whoami'],
      ['research', 'own__pid'],
    ] as const) {
      agents.push(await startWorkingAgent({ gateways: rotation, group, tool }));
    }
    const [, researching] = agents as [WorkingAgent, WorkingAgent];
    await researching.client.subscribeResource({ uri: 'r://one' });
    await researching.client.setLoggingLevel('warning');
    const sessions = {
      ...Object.fromEntries(agents.map(({ session }, at) => [`agent ${at}`, session])),
      ...Object.fromEntries(
        watchers.map(({ session, gateway }) => [`watcher of the ${gateway.name}`, session]),
      ),
    };
    // In the hand of the service from now on.
    await toggleTwice({ split });
    const parts = { split, notes, rotation, agents, watchers, sessions };
    const view = await untilSameView(parts);
    const rows = await onDatabase(database, readKeptRows);
    return { ...parts, before: { view, files: split.files(), rows }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the operator wrote by hand. */
function operatorFiles(): Record<string, string> {
  const program = (name: string, path: string, more = {}) =>
    `${JSON.stringify({ name, transport: 'stdio', command: 'node', args: [join(projectDir, path)], ...more })}\n`;
  return {
    'groups/research.json': research,
    'configs/crm.json': program('crm', faultPath, { env: { API_TOKEN: `\${CRM_TOKEN}` } }),
    'configs/own.json': program('own', faultPath, { session_mode: 'stateful' }),
    'configs/offering.json': program('offering', 'tests/support/offering-server.mjs'),
    'secrets/secrets.env': `# Ours. Do not sort.\nexport CRM_TOKEN='${secrets.CRM_TOKEN}'\n`,
  };
}

/** Servers and ticks that came over the API. */
async function register(split: SplitInstallation, { address }: NotesServer): Promise<void> {
  const manager = managerOf(split);
  const headers = { 'X-Notes-Key': secrets.notesKey };
  for (const [name, more] of [
    ['notes', { headers }],
    ['archive', {}],
  ] as const) {
    const url = `http://${address}/${name}`;
    await manage(manager, 'POST', '/api/servers', { name, transport: 'streamable_http', url, ...more });
  }
  for (const server of ['crm', 'own', 'offering', 'notes', 'archive']) {
    await waitUntil(`${server} is listed`, async () => (await toolsOf(manager, server)).length > 0);
  }
  const ticked = ['crm__env', 'own__pid', 'notes__whoami', 'notes__read', 'archive__whoami'];
  await replaceTools(manager, 'svc-global', ticked);
}

async function watch(gateway: SplitProcess): Promise<Watcher> {
  const url = gateway.groupUrl('research');
  const protocolVersion = '2025-11-25';
  const { id } = await waitUntil('the group is served', () => openSession(url, { protocolVersion }));
  const session = { id, group: 'research', protocolVersion };
  const stream = openStreamClient({ sessionId: id, urls: [url] });
  await waitUntil('the resource can be subscribed to', async () => {
    const { body } = await request(gateway, session, 'resources/subscribe', { uri: 'r://one' });
    return body?.result !== undefined;
  });
  return { gateway, session, stream };
}

/** One tool that people approved is another one now. */
async function changeTool(split: SplitInstallation, notes: NotesServer): Promise<void> {
  const manager = managerOf(split);
  notes.show('second');
  await manage(manager, 'POST', '/api/servers/notes/restart', {});
  await waitUntil('a tool is changed', async () => {
    const { servers } = await manage(manager, 'GET', '/api/tools?group=svc-global');
    const read = servers.notes.find(({ name }: { name: string }) => name === 'notes__read');
    return read?.state === 'changed';
  });
}

function managerOf(split: SplitInstallation) {
  return { managerUrl: split.manager.url };
}

function processesOf({ split }: Pick<World, 'split'>): readonly SplitProcess[] {
  return [split.manager, ...split.gateways];
}

/** Both gateways show the same. */
function untilSameView({ split, sessions }: Pick<World, 'split' | 'sessions'>): Promise<InstallationView> {
  return waitUntil('both gateways show the same', async () => {
    const [one, other] = await Promise.all(
      split.gateways.map((gateway) => readView({ ...managerOf(split), ...gateway }, sessions)),
    );
    return JSON.stringify(one) === JSON.stringify(other) && one;
  });
}

/** Each of the agents does more than what it had begun. */
async function untilAgentsWork({ agents }: World): Promise<void> {
  const before = agents.map((agent) => agent.rounds());
  const haveWorked = () => agents.every((agent, at) => agent.rounds() > (before[at] ?? 0) + 1);
  await waitUntil('the agents have worked', haveWorked, patient);
}

/**
 * Stops a process and starts it as something else, with news for agents meanwhile.
 * @returns what it wrote before.
 */
async function restart(world: World, process: SplitProcess, run: SplitRun): Promise<string> {
  const { inUse } = world.rotation;
  inUse.delete(process.url);
  await untilAgentsWork(world);
  await process.stop();
  const before = process.output();
  await untilAgentsWork(world);
  const watcher = world.watchers.find(({ gateway }) => gateway === process);
  const heardBefore = watcher && changesHeard(watcher.stream);
  if (watcher !== undefined) await toggleTwice(world);

  await process.start(run);

  if (watcher === undefined || heardBefore === undefined) return before;
  inUse.add(process.url);
  await waitUntil('its agent is told', () => changesHeard(watcher.stream) > heardBefore, patient);
  return before;
}

/** @param folderless The gateway that runs no programs and has no secrets. */
async function assertServed(world: World, folderless?: SplitProcess): Promise<void> {
  assert.equal(await untilSameView(world), world.before.view);
  for (const gateway of world.split.gateways) await assertCalls(world, gateway);
  for (const watcher of world.watchers) await assertTold(watcher);
  await assertToggled(world);
  await untilAgentsWork(world);
  assert.equal(world.split.files(), world.before.files);
  for (const gateway of world.split.gateways) {
    assert.is(childrenOf(gateway.pid(), 'fault-server').length > 0, gateway !== folderless, gateway.name);
  }
}

async function assertCalls({ agents, watchers }: World, gateway: SplitProcess): Promise<void> {
  const [{ session }] = agents as [WorkingAgent];
  const [other, another] = watchers.map((watcher) => watcher.session) as [OpenSession, OpenSession];

  const environment = JSON.parse(await textOf(gateway, session, 'crm__env'));
  const sent = JSON.parse(await textOf(gateway, session, 'notes__whoami'));
  const plain = JSON.parse(await textOf(gateway, session, 'archive__whoami'));
  const pids = await Promise.all([session, other, another].map((one) => ownPid(gateway, one)));

  assert.is(environment.API_TOKEN, secrets.CRM_TOKEN);
  assert.is(sent['x-notes-key'], secrets.notesKey);
  assert.is(plain['x-notes-key'], undefined);
  assert.is(new Set(pids).size, pids.length, 'each session has a process of the stateful server');
}

function ownPid(gateway: SplitProcess, session: OpenSession): Promise<string> {
  return textOf(gateway, session, 'own__pid');
}

/** A change of a resource that the session is subscribed to. */
async function assertTold({ gateway, session, stream }: Watcher): Promise<void> {
  const updates = () => [...stream.received.values()].filter((text) => text.includes('resources/updated'));
  await waitUntil('the stream is open again', () => stream.isOpen());
  const isSubscribed = async () => (await textOf(gateway, session, 'offering__heard')).includes('+r://one');
  await waitUntil('the server has heard of the subscription', isSubscribed);
  const before = updates().length;

  await textOf(gateway, session, 'offering__update', { uri: 'r://one' });

  await waitUntil(`the ${gateway.name} tells of it`, () => updates().length > before);
}

/** Off and on again: the group's file ends as it was. */
async function assertToggled({ split, watchers }: World): Promise<void> {
  for (const enabled of [false, true]) {
    const before = watchers.map(({ stream }) => changesHeard(stream));
    const toggledAt = performance.now();

    await switchTool(managerOf(split), 'research', 'crm__echo', enabled);

    const areTold = () => watchers.every(({ stream }, at) => changesHeard(stream) > (before[at] ?? 0));
    await waitUntil('agents on both gateways are told', areTold, { limitMs: toggleMs, everyMs: 5 });
    for (const watcher of watchers) assert.is((await listedFor(watcher)).includes('say'), enabled);
    const elapsed = performance.now() - toggledAt;
    assert.ok(elapsed < toggleMs, `${elapsed} ms`);
  }
}

/** The group's file ends as the service writes it. */
async function toggleTwice({ split }: Pick<World, 'split'>): Promise<void> {
  for (const enabled of [false, true]) await switchTool(managerOf(split), 'research', 'crm__echo', enabled);
}

function changesHeard({ received }: StreamClient): number {
  return [...received.values()].filter((text) => text.includes('tools/list_changed')).length;
}

async function listedFor({ gateway, session }: Watcher): Promise<string[]> {
  const { body } = await request(gateway, session, 'tools/list');
  return body.result.tools.map(({ name }: { name: string }) => name);
}

/** The copies in the database equal the files. */
async function assertCopied({ split }: World, database: string): Promise<void> {
  const files = Object.entries(split.files()).filter(([path]) => path.startsWith(split.groupsDir));
  const wanted = files.map(([path, text]) => [
    basename(path, '.json'),
    JSON.parse(Buffer.from(text, 'latin1').toString()),
    null,
  ]);
  const areEqual = async (opened: Queryable) => {
    const rows = await opened.query<{ name: string; document: string; problem: string | null }>(
      'select name, document, problem from group_copies order by name',
    );
    const copies = rows.map(({ name, document, problem }) => [name, JSON.parse(document), problem]);
    assert.equal(copies, wanted);
    return true;
  };
  await onDatabase(database, (opened) =>
    waitUntil('the copies equal the files', () => areEqual(opened), { limitMs: copyMs }),
  );
}

function onDatabase<Result>(databaseUrl: string, work: (database: Queryable) => Promise<Result>) {
  return withDatabase({ databaseUrl, dataDir: '' }, work);
}

async function textOf(gateway: SplitProcess, session: OpenSession, name: string, args = {}): Promise<string> {
  const { text, body } = await request(gateway, session, 'tools/call', { name, arguments: args });
  const [content] = body?.result?.content ?? [];
  if (content === undefined || body.result.isError)
    throw new Error(`${name} at the ${gateway.name}: ${text}`);
  return content.text;
}

/** Lines of a log that tell of a fault of the process itself, and what is no line of a log. */
function errorsIn(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => line !== '' && !/^\{"level":"(trace|debug|info|warn)"/.test(line));
}
