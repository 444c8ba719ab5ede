import { createHash } from 'node:crypto';
import { rename, utimes, writeFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitUntil } from '../../../support/wait-until.ts';
import { createManagerFixture, type ManagerFixture } from './manager-fixture.ts';

const test = suite<{ manager: ManagerFixture }>('GET /api/tools and /api/current');

test.before.each(async (context) => {
  context.manager = await createManagerFixture();
});
test.after.each((context) => context.manager.close());

/** Writes the default group's file and has it read. */
async function writeDefault(
  { folder, groups }: ManagerFixture,
  fields: Record<string, unknown>,
): Promise<void> {
  await folder.write('default', { name: 'default', included_tools: [], ...fields });
  await groups.change('default', (group) => group);
}

async function statesOf(manager: ManagerFixture): Promise<Record<string, string>> {
  const { body } = await manager.call('GET /api/tools');
  const tools = Object.values(body.servers).flat() as { name: string; state: string }[];
  return Object.fromEntries(tools.map(({ name, state }) => [name, state]));
}

test("tools stand under their server, complete, in the server's order", async ({ manager }) => {
  const definition = JSON.stringify({
    name: 'read',
    title: 'Read a file',
    description: 'Reads',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
    annotations: { readOnlyHint: true },
  });
  manager.catalog.setTools('files', [definition, 'write']);
  manager.catalog.setTools('empty', []);
  await manager.call('POST /api/tools/toggle', { tool: 'files__read' });
  const { body } = await manager.call('GET /api/tools');

  assert.equal(Object.keys(body.servers).sort(), ['empty', 'files']);
  assert.equal(body.servers.empty, []);
  assert.equal(body.servers.files[0], {
    name: 'files__read',
    description: 'Reads',
    title: 'Read a file',
    enabled: true,
    annotations: { readOnlyHint: true },
    input_schema: { type: 'object', properties: { path: { type: 'string' } } },
    state: 'present',
    definition_hash: createHash('sha256').update(definition).digest('hex'),
    token_estimate: Math.ceil(definition.length / 4),
  });
  assert.equal([body.servers.files[1].name, body.servers.files[1].enabled], ['files__write', false]);
});

test("another group's ticks are shown with ?group=", async ({ manager }) => {
  manager.catalog.setTools('files', ['read']);
  await manager.groups.create('ops', { tools: ['files__read'] });

  assert.is((await manager.call('GET /api/tools')).body.servers.files[0].enabled, false);
  assert.is((await manager.call('GET /api/tools?group=ops')).body.servers.files[0].enabled, true);
  assert.is((await manager.call('GET /api/tools?group=nosuch')).body.code, 'group_not_found');
});

test('a tool that the group shows by another name says so', async ({ manager }) => {
  manager.catalog.setTools('files', ['read', 'write']);
  const renamed = { included_tools: ['files__read', 'files__write'], exposed_names: { files__read: 'look' } };
  await writeDefault(manager, renamed);
  const { servers } = (await manager.call('GET /api/tools')).body;

  assert.equal(
    servers.files.map(({ exposed_name }: Record<string, unknown>) => exposed_name),
    ['look', undefined],
  );
});

test('a name that vanished is missing, under its server or where its server was', async ({ manager }) => {
  manager.catalog.setTools('files', ['read']);
  await writeDefault(manager, { included_tools: ['files__gone', 'lost__tool', 'constructor__x', 'nosep'] });
  const { servers } = (await manager.call('GET /api/tools')).body;

  assert.equal(
    servers.files.map(({ name, state, enabled }: Record<string, unknown>) => [name, state, enabled]),
    [
      ['files__read', 'present', false],
      ['files__gone', 'missing', true],
    ],
  );
  assert.is(servers.lost[0].state, 'missing');
  assert.is(servers.constructor[0].name, 'constructor__x');
  assert.is(servers.nosep[0].name, 'nosep');
});

test('a tool that agents cannot be given is missing where a file names it, and cannot be ticked; both say why', async ({
  manager,
}) => {
  manager.catalog.setTools('files', ['{"name":"odd","inputSchema":{"type":"array"}}', '{"name":"mended"}']);
  await writeDefault(manager, { included_tools: ['files__odd', 'files__mended'] });
  const why = 'The tool "odd" was left out: its inputSchema is of type "array", not "object".';

  const { body } = await manager.call('GET /api/tools');
  const [mended, odd] = body.servers.files;
  assert.equal([odd.name, odd.state, odd.problem], ['files__odd', 'missing', why]);
  assert.equal(mended.input_schema, { type: 'object' });
  const own = createHash('sha256').update('{"name":"mended"}').digest('hex');
  assert.is(mended.definition_hash, own);

  await manager.call('POST /api/tools/toggle', { tool: 'files__odd', enabled: false });
  const refused = await manager.call('POST /api/tools/toggle', { tool: 'files__odd', enabled: true });
  assert.equal([refused.status, refused.body.code, refused.body.error], [404, 'tool_not_found', why]);
});

test('a changed definition says nothing about a group the tool is not in', async ({ manager }) => {
  manager.catalog.setTools('files', ['read']);
  await manager.call('POST /api/update', { tools: ['files__read'] });
  await manager.call('POST /api/update', { tools: [] });
  manager.catalog.setTools('files', ['{"name":"read","x":1}']);

  assert.equal(await statesOf(manager), { files__read: 'present' });
});

test('a tool first listed after the file was written is new', async ({ manager }) => {
  manager.catalog.setTools('files', ['read']);
  const beforeTheToolWasListed = new Date(-1000);
  const draft = `${manager.folder.path('default')}~`;
  await writeFile(draft, JSON.stringify({ name: 'default', included_tools: [], note: 'old' }));
  await utimes(draft, beforeTheToolWasListed, beforeTheToolWasListed);
  await rename(draft, manager.folder.path('default'));
  await waitUntil('it is read', () => manager.groups.read('default')?.group?.document.note === 'old');

  assert.equal(await statesOf(manager), { files__read: 'new' });
});

test('GET /api/current shows the names, vanished ones included, and the etag', async ({ manager }) => {
  manager.catalog.setTools('files', ['b', 'a']);
  await writeDefault(manager, {
    description: 'All',
    included_tools: ['gone__x'],
    included_servers: ['files'],
  });
  const { status, body } = await manager.call('GET /api/current');

  assert.is(status, 200);
  assert.equal(body, {
    success: true,
    group: 'default',
    tools: ['gone__x', 'files__b', 'files__a'],
    description: 'All',
    etag: manager.groups.read('default')?.group?.etag,
  });
});

test('GET /api/current tells why the file cannot be read, and the last good version', async ({ manager }) => {
  await writeDefault(manager, { included_tools: ['a__x'] });
  await manager.folder.write('default', '{');
  await waitUntil('the problem shows', () => manager.groups.read('default')?.problem);
  const { body } = await manager.call('GET /api/current');

  assert.equal([body.tools, body.problem], [['a__x'], 'The file is not valid JSON.']);
});

test('GET /api/current tells which listed resources are not clear', async ({ manager }) => {
  manager.catalog.setTools('a', ['x']);
  manager.catalog.setTools('b', ['x']);
  for (const server of ['a', 'b']) manager.features.setFeatures(server, { resources: ['r://1'] });
  await writeDefault(manager, { included_tools: ['b__x', 'a__x'], included_resources: ['r://1'] });
  const { body } = await manager.call('GET /api/current');

  assert.is(body.warnings.length, 1);
  assert.match(body.warnings[0], 'listed by `b`, `a` of this group: `b` is used');
});

test('GET /api/current tells what is wrong with the folder of config files', async ({ manager }) => {
  manager.setFolderProblem('The folder is empty.');

  assert.equal((await manager.call('GET /api/current')).body.warnings, ['The folder is empty.']);
});

test('a group that never could be read has an empty list, a problem and no file to show', async ({
  manager,
}) => {
  await manager.folder.write('bad', '{');
  await waitUntil('it is seen', () => manager.groups.read('bad'));
  const { status, body } = await manager.call('GET /api/current?group=bad');

  assert.equal([status, body.tools, body.problem], [200, [], 'The file is not valid JSON.']);
  assert.is((await manager.call('GET /api/groups/bad')).body.code, 'group_unreadable');
  assert.is((await manager.call('GET /api/groups/bad/tools')).status, 409);
});

test('until the catalog is loaded both are 503 with Retry-After', async ({ manager }) => {
  manager.catalog.setLoaded(false);

  for (const path of ['/api/tools', '/api/current']) {
    const { status, body, headers } = await manager.call(`GET ${path}`);
    assert.equal([status, body.code, headers.get('retry-after')], [503, 'database_unavailable', '2']);
    assert.match(body.error, 'still starting');
  }
});

test('odd query parameters change nothing', async ({ manager }) => {
  assert.is((await manager.call('GET /api/tools?__proto__[x]=1&constructor[prototype][y]=2')).status, 200);
  assert.is((await manager.call('GET /api/current?group=__proto__')).status, 404);
  assert.is((await manager.call('GET /api/current?group=default&group=ops')).status, 400);
});

test.run();
