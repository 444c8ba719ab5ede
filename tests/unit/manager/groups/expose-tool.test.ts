import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createManagerFixture, type ManagerFixture } from './manager-fixture.ts';

const test = suite<{ manager: ManagerFixture }>('POST /api/tools/{tool}/expose');

/** Half of the names that the example server of the official Go SDK has. */
const names = ['greet', 'greet (structured)', 'greet (content with ResourceLink)', 'ping', 'elicit (form)'];
const greet = 'go__greet (structured)';
const all = names.map((name) => `go__${name}`);

test.before.each(async (context) => {
  context.manager = await createManagerFixture();
  context.manager.catalog.setTools('go', names);
  await context.manager.call('POST /api/update', { tools: all });
});
test.after.each((context) => context.manager.close());

function expose({ call }: ManagerFixture, tool: string, body?: unknown, headers = {}) {
  return call(`POST /api/tools/${encodeURIComponent(tool)}/expose`, body, headers);
}

interface Listed {
  readonly name: string;
  readonly exposed_name?: string;
  readonly name_problem?: string;
  readonly suggested_name?: string;
}

async function listed(manager: ManagerFixture, group = 'default'): Promise<Record<string, Listed>> {
  const { body } = await manager.call(`GET /api/tools?group=${group}`);
  return Object.fromEntries(body.servers.go.map((tool: Listed) => [tool.name, tool]));
}

/** A group that has the whole server. */
async function createWhole({ folder, groups }: ManagerFixture): Promise<void> {
  await groups.create('whole', {});
  await folder.write('whole', { name: 'whole', included_tools: [], included_servers: ['go'] });
  await groups.change('whole', (group) => group);
}

const fileOf = ({ folder }: ManagerFixture) => readFile(folder.path('default'), 'utf8');

test('the listing says which names need another, and which one', async ({ manager }) => {
  const tools = await listed(manager);

  assert.equal(
    Object.values(tools).map(({ suggested_name }) => suggested_name),
    [undefined, 'go_greet_structured', 'go_greet_content_with_ResourceLink', undefined, 'go_elicit_form'],
  );
  assert.match(tools[greet]?.name_problem ?? '', /^Model providers refuse its name because of " ", "\("/);
  assert.is(tools.go__ping?.name_problem, undefined);
});

test('without a body the suggested name is taken, and the answer is that of a toggle', async ({
  manager,
}) => {
  const { status, body } = await expose(manager, greet);

  assert.equal([status, body.success, body.group, body.tool], [200, true, 'default', greet]);
  assert.equal([body.tools, body.enabled, body.exposed_name], [all, true, 'go_greet_structured']);
  assert.is(body.message, 'Agents of group `default` see the tool as `go_greet_structured`.');
  assert.is(body.etag, manager.groups.read('default')?.group?.etag);
  assert.equal(JSON.parse(await fileOf(manager)).exposed_names, { [greet]: 'go_greet_structured' });
  const after = (await listed(manager))[greet];
  assert.equal([after?.exposed_name, after?.name_problem], ['go_greet_structured', undefined]);
});

test('taking it twice is taking it once', async ({ manager }) => {
  const once = await expose(manager, greet);
  const twice = await expose(manager, greet, {});

  assert.equal([twice.status, twice.body], [200, once.body]);
});

test('a name of one’s own, and the full one again with null, which leaves the file as it was', async ({
  manager,
}) => {
  const before = await fileOf(manager);
  const named = await expose(manager, greet, { name: 'hello-all', group: 'default' });
  const back = await expose(manager, greet, { name: null });

  assert.is(named.body.exposed_name, 'hello-all');
  assert.equal([back.status, back.body.exposed_name], [200, undefined]);
  assert.is(back.body.message, 'Agents of group `default` see the tool by its full name.');
  assert.is(await fileOf(manager), before);
});

test('other fields and other names of the file stay', async ({ manager }) => {
  await manager.folder.write('default', {
    name: 'default',
    note: 'mine',
    included_tools: all,
    exposed_names: { go__ping: 'ping', lost__tool: 'lost' },
  });
  await manager.groups.change('default', (group) => group);
  await expose(manager, greet);
  await expose(manager, 'lost__tool', { name: null });

  const document = JSON.parse(await fileOf(manager));
  assert.equal(document.exposed_names, { go__ping: 'ping', [greet]: 'go_greet_structured' });
  assert.is(document.note, 'mine');
});

test('a tool that needs no other name keeps its own', async ({ manager }) => {
  const before = await fileOf(manager);
  const { status, body } = await expose(manager, 'go__ping');

  assert.equal([status, body.exposed_name], [200, undefined]);
  assert.is(await fileOf(manager), before);
});

test('a group that has the whole server may name its tools, too', async ({ manager }) => {
  await createWhole(manager);
  const taken = [];
  for (const name of [greet, 'go__elicit (form)']) {
    const { status, body } = await expose(manager, name, { group: 'whole' });
    taken.push([status, body.exposed_name]);
  }

  assert.equal(taken, [
    [200, 'go_greet_structured'],
    [200, 'go_elicit_form'],
  ]);
});

test('each group has names of its own', async ({ manager }) => {
  await manager.groups.create('other', { tools: all });
  await expose(manager, greet);

  assert.is((await listed(manager))[greet]?.name_problem, undefined);
  assert.is((await listed(manager, 'other'))[greet]?.suggested_name, 'go_greet_structured');
});

test('a tool that is not in the group yet is seen by its name when it comes in', async ({ manager }) => {
  await manager.groups.create('empty', {});
  const { status, body } = await expose(manager, greet, { group: 'empty' });

  assert.equal([status, body.enabled, body.exposed_name], [200, false, 'go_greet_structured']);
  assert.match(body.message, 'not in group `empty`; once it is, agents see it as `go_greet_structured`');
  const on = await manager.call('POST /api/groups/empty/tools/enable', { tool: greet });
  assert.equal([on.status, on.body.tools], [200, [greet]]);
});

test('a tool that has vanished can be named while the group has it', async ({ manager }) => {
  manager.catalog.setTools('go', ['ping']);
  const { status, body } = await expose(manager, greet);

  assert.equal([status, body.exposed_name], [200, 'go_greet_structured']);
});

test('a name that something else has is 409, and nothing is changed', async ({ manager }) => {
  await expose(manager, greet, { name: 'hello' });
  manager.catalog.setTools('other', ['tool']);
  const before = await fileOf(manager);

  for (const name of ['hello', 'go__ping', 'other__tool']) {
    const { status, body } = await expose(manager, 'go__elicit (form)', { name });
    assert.equal([status, body.code], [409, 'conflict'], name);
    assert.match(body.error, `\`${name}\` is the name of "`);
  }
  assert.is(await fileOf(manager), before);
});

test('a name that a whole server of the group could have is 409', async ({ manager }) => {
  await createWhole(manager);
  const { status, body } = await expose(manager, greet, { name: 'go__later', group: 'whole' });

  assert.equal([status, body.code], [409, 'conflict']);
});

test('a name that some provider refuses is 400, and nothing is changed', async ({ manager }) => {
  const before = await fileOf(manager);
  const bad = ['', ' ', 'a b', 'a.b', 'ü', 'x'.repeat(65), 'a\n', 5, {}, [], true];
  for (const name of bad) {
    const { status, body } = await expose(manager, greet, { name });
    assert.equal([status, body.code], [400, 'invalid_params'], JSON.stringify(name));
    assert.match(body.error, /^Field `name`: expected/);
  }
  assert.is((await expose(manager, greet, { nmae: 'x' })).body.code, 'invalid_params');
  assert.is((await expose(manager, greet, { group: 5 })).status, 400);
  assert.is((await expose(manager, greet, '{')).body.code, 'parse_error');
  assert.is(await fileOf(manager), before);
});

test('an unknown tool is 404 with the nearest names, an unknown group 404', async ({ manager }) => {
  const unknown = await expose(manager, 'go__greet (structure)', {});
  assert.equal([unknown.status, unknown.body.code], [404, 'tool_not_found']);
  assert.equal(unknown.body.details.did_you_mean, [greet]);
  assert.equal((await expose(manager, '__proto__', { name: null })).status, 404);

  const nowhere = await expose(manager, greet, { group: 'no' });
  assert.equal([nowhere.status, nowhere.body.code], [404, 'group_not_found']);
});

test('a version that is gone by now is 409 with the current one', async ({ manager }) => {
  const etag = manager.groups.read('default')?.group?.etag ?? '';
  const first = await expose(manager, greet, {}, { 'If-Match': etag });
  const late = await expose(manager, 'go__elicit (form)', {}, { 'If-Match': etag });

  assert.is(first.status, 200);
  assert.equal([late.status, late.body.code], [409, 'group_changed']);
  assert.equal(late.body.details, { tools: all, etag: first.body.etag });
});

test('a group whose file is broken is not written', async ({ manager }) => {
  await manager.folder.write('default', '{');
  const { status, body } = await expose(manager, greet);

  assert.equal([status, body.code], [409, 'group_unreadable']);
  assert.is(await fileOf(manager), '{');
});

test('many at once are all written', async ({ manager }) => {
  const wanted = all.filter((name) => /[ (]/.test(name));
  const answers = await Promise.all(wanted.map((name) => expose(manager, name)));

  assert.equal(
    answers.map(({ status }) => status),
    wanted.map(() => 200),
  );
  assert.equal(Object.keys(JSON.parse(await fileOf(manager)).exposed_names).sort(), [...wanted].sort());
});

test.run();
