/**
 * Groups, configs and secrets in volumes that Kubernetes exchanges as a whole (`..data`), under load: every version is seen
 * or passed over for a newer one, no agent sees an older one after a newer one, or a part of one, and no group is ever empty.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pause } from '../../lib/async/wait.ts';
import { toReference } from '../../lib/config/references.ts';
import { manage, toolsOf } from '../support/manager-api.ts';
import { openSession, type PlainSession, postJson } from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { createSwappedFolder, type SwappedFolder } from '../support/swapped-folder.ts';
import { everythingConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('folders that are exchanged as a whole');
const groupNames = ['svc-global', 'red', 'blue'];
const agentsOfGroup = 3;
const swaps = 100;
const seenWithinMs = 1_000;
let root: string;
let service: RunningService;
let groups: SwappedFolder;
let configs: SwappedFolder;
let secrets: SwappedFolder;

/** First and last tool carry the version in their names; what lies between makes a file that is not read in one go. */
function groupsAt(version: number): Record<string, string> {
  const entries = groupNames.map((name) => {
    const group = {
      name,
      exposed_names: { 'everything__get-sum': `first_${version}` },
      included_tools: ['everything__get-sum', 'everything__echo', 'everything__get-tiny-image'],
      description: `Version ${version}. `.repeat(10_000),
    };
    const last = { 'everything__get-tiny-image': `last_${version}` };
    return [`${name}.json`, JSON.stringify({ ...group, exposed_names: { ...group.exposed_names, ...last } })];
  });
  return Object.fromEntries(entries);
}

const configsWith = (more: object = {}) => ({
  'everything.json': JSON.stringify({ ...everythingConfig('everything'), ...more }),
});

test.before(async () => {
  root = mkdtempSync(join(tmpdir(), 'svc-volumes-'));
  const [groupsDir, configsDir] = [join(root, 'groups'), join(root, 'configs')];
  groups = createSwappedFolder(groupsDir, groupsAt(0));
  configs = createSwappedFolder(configsDir, configsWith({ env: { KEY: toReference('KEY') } }));
  secrets = createSwappedFolder(join(root, 'secrets'), { 'secrets.env': 'KEY=first\n' });
  service = await runService({
    shareFoldersWith: { groupsDir, configsDir },
    env: { SECRETS_FILE: join(root, 'secrets/secrets.env') },
  });
  await waitUntil('the server is listed', async () => (await toolsOf(service, 'everything')).length > 0);
});

test.after(async () => {
  await service?.remove();
  rmSync(root, { recursive: true, force: true });
});

/** Others have so much to do here that a process may wait for a second. */
const isMachineBusy = () => (loadavg()[0] ?? 0) > 3 * availableParallelism();

/** What all agents together have seen. */
interface Seen {
  /** The newest version that any of them was shown. */
  newest: number;
  readonly versions: Set<number>;
  readonly wrong: string[];
  answers: number;
  calls: number;
}

/** Lists and calls. An answer must not be older than what anybody was shown before it was asked for. */
async function actAsAgent(
  session: PlainSession,
  group: string,
  seen: Seen,
  isDone: () => boolean,
): Promise<void> {
  const arguments_ = { message: group };
  while (!isDone()) {
    const floor = seen.newest;
    const { status, text, body } = await session.request('tools/list');
    const names: string[] = (body?.result?.tools ?? []).map((tool: { name: string }) => tool.name);
    const version = Number(names[0]?.replace('first_', ''));
    const wanted = [`first_${version}`, 'everything__echo', `last_${version}`].join();
    if (status !== 200 || names.join() !== wanted)
      seen.wrong.push(`${group}: ${status} ${names} ${text.slice(0, 200)}`);
    else if (version < floor) seen.wrong.push(`${group}: version ${version} after ${floor}`);
    seen.newest = Math.max(seen.newest, version);
    seen.versions.add(version);
    seen.answers += 1;
    const called = await session.request('tools/call', { name: 'everything__echo', arguments: arguments_ });
    if (called.body?.result?.content?.[0]?.text !== `Echo: ${group}`)
      seen.wrong.push(`${group}: ${called.text}`);
    seen.calls += 1;
    await pause(5);
  }
}

test('100 versions of the groups under load: each is seen within a second or passed over, none in parts', async () => {
  const seen: Seen = { newest: 0, versions: new Set(), wrong: [], answers: 0, calls: 0 };
  let isDone = false;
  const tookMs: number[] = [];
  const agents = groupNames.flatMap((group) =>
    Array.from({ length: agentsOfGroup }, async () =>
      actAsAgent(await openSession(service.groupUrl(group)), group, seen, () => isDone),
    ),
  );
  for (let version = 1; version <= swaps; version++) {
    groups.swap(groupsAt(version));
    // Every fifth is followed by the next at once, which may pass it over.
    if (version % 5 === 0 && version < swaps) continue;
    const swappedAt = performance.now();
    await waitUntil(`version ${version} is seen`, () => seen.newest >= version, {
      limitMs: 10_000,
      everyMs: 5,
    });
    tookMs.push(Math.round(performance.now() - swappedAt));
  }
  isDone = true;
  await Promise.all(agents);

  const slowest = Math.max(...tookMs);
  const all = `${seen.versions.size} of ${swaps + 1} versions`;
  console.log(`  ${seen.answers} lists and ${seen.calls} calls saw ${all}, the slowest after ${slowest} ms`);
  assert.equal(seen.wrong.slice(0, 5), []);
  const inOrder = tookMs.sort((one, other) => one - other);
  assert.ok((inOrder[Math.floor(inOrder.length / 2)] ?? 0) <= seenWithinMs, `${inOrder.join(', ')} ms`);
  if (isMachineBusy()) console.log('  the slowest is not judged: this machine has more to do than it can');
  else assert.ok(slowest <= seenWithinMs, `${inOrder.join(', ')} ms`);
  assert.is(seen.newest, swaps);
  assert.ok(seen.versions.size >= swaps * 0.8);
  const problems = await Promise.all(
    groupNames.map(async (group) => (await manage(service, 'GET', `/api/current?group=${group}`)).problem),
  );
  assert.equal(problems, [undefined, undefined, undefined]);
  assert.not.match(service.output(), /group broken|group removed/);
});

test('a toggle is refused with the file to put there, which then takes effect', async () => {
  const refused = await postJson(`${service.managerUrl}/api/tools/toggle`, {
    tool: 'everything__echo',
    group: 'red',
  });

  assert.equal(
    [refused.status, refused.body.code, refused.body.details.file],
    [409, 'group_read_only', 'red.json'],
  );
  const text: string = refused.body.details.text;
  groups.swap({ ...groupsAt(swaps), 'red.json': text });
  const listed = async () => (await manage(service, 'GET', '/api/current?group=red')).tools;
  await waitUntil('it is off', async () => !(await listed()).includes('everything__echo'), {
    limitMs: 1_000,
  });
});

test('a secret and a config are read from their volumes, and followed', async () => {
  const keyOf = async () => {
    const body = { arguments: {} };
    const { result } = await manage(service, 'POST', '/api/tools/everything__get-env/try', body);
    return JSON.parse(result.content[0].text).KEY;
  };
  assert.is(await keyOf(), 'first');
  for (const value of ['second', 'third']) {
    secrets.swap({ 'secrets.env': `KEY=${value}\n` });
    await manage(service, 'POST', '/api/servers/everything/restart', {});
    assert.is(await keyOf(), value);
  }
  configs.swap(configsWith({ env: { KEY: 'of the file' } }));
  await waitUntil('the changed config is in effect', async () => (await keyOf()) === 'of the file');
  const refused = await fetch(`${service.managerUrl}/api/servers/everything`, { method: 'DELETE' });

  assert.equal([refused.status, (await refused.json()).code], [409, 'config_read_only']);
  assert.is(await keyOf(), 'of the file');
});

test.run();
