import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createManagerFixture, type ManagerFixture } from './manager-fixture.ts';

const test = suite<{ manager: ManagerFixture }>('approving definitions');

const first = {
  read: '{"name":"read","x":1}',
  write: '{"name":"write","x":1}',
  list: '{"name":"list","x":1}',
};
const second = {
  read: '{"name":"read","x":2}',
  write: '{"name":"write","x":2}',
  list: '{"name":"list","x":2}',
};
const all = ['files__read', 'files__write'];

test.before.each(async (context) => {
  context.manager = await createManagerFixture();
  context.manager.catalog.setTools('files', Object.values(first));
  await context.manager.call('POST /api/update', { tools: all });
});
test.after.each((context) => context.manager.close());

/** From now on its server defines each tool otherwise. */
function change({ catalog }: ManagerFixture): void {
  catalog.setTools('files', Object.values(second));
}

function hashOf(definition: string): string {
  return createHash('sha256').update(definition).digest('hex');
}

interface Listed {
  readonly name: string;
  readonly state: string;
  readonly definition_hash?: string;
  readonly approved_hash?: string;
}

async function listed(manager: ManagerFixture): Promise<Record<string, Listed>> {
  const { body } = await manager.call('GET /api/tools');
  const tools = Object.values(body.servers).flat() as Listed[];
  return Object.fromEntries(tools.map((tool) => [tool.name.replace('files__', ''), tool]));
}

async function states(manager: ManagerFixture): Promise<readonly (string | undefined)[]> {
  const { read, write, list } = await listed(manager);
  return [read?.state, write?.state, list?.state];
}

test('a tool says which definition it has, and a changed one which was approved', async ({ manager }) => {
  const before = (await listed(manager)).read;
  change(manager);
  const after = (await listed(manager)).read;

  assert.equal([before?.definition_hash, before?.approved_hash], [hashOf(first.read), undefined]);
  assert.equal([after?.definition_hash, after?.approved_hash], [hashOf(second.read), hashOf(first.read)]);
});

test('a Save leaves the mark of every tool that stays in the group', async ({ manager }) => {
  change(manager);
  await manager.call('POST /api/update', { tools: [...all, 'files__list'] });

  assert.equal(await states(manager), ['changed', 'changed', 'present']);
  await manager.call('PUT /api/groups/default/tools', {
    tools: all,
    definition_hashes: { files__read: hashOf(second.read) },
  });
  assert.equal(await states(manager), ['changed', 'changed', 'present'], 'hashes of others say nothing');
});

test('a tool that is on already is not approved by switching it on', async ({ manager }) => {
  change(manager);
  const definition_hash = hashOf(second.read);
  const lines = [
    'POST /api/tools/toggle',
    'POST /api/tools/enable',
    'POST /api/groups/default/tools/toggle',
    'POST /api/groups/default/tools/enable',
  ];
  for (const line of lines) {
    const enabled = line.endsWith('toggle') ? { enabled: true } : {};
    const { status } = await manager.call(line, { tool: 'files__read', definition_hash, ...enabled });
    assert.is(status, 200, line);
    assert.is((await states(manager))[0], 'changed', line);
  }
});

test('a tool that is switched on is approved as its caller saw it, and changed at once where that is no more', async ({
  manager,
}) => {
  await manager.call('POST /api/update', { tools: [] });
  change(manager);
  const seen = (definition: string) => ({ definition_hash: hashOf(definition) });
  await manager.call('POST /api/tools/toggle', { tool: 'files__read', ...seen(first.read) });
  await manager.call('POST /api/groups/default/tools/enable', {
    tool: 'files__write',
    ...seen(second.write),
  });
  await manager.call('POST /api/tools/enable', { tool: 'files__list' });

  assert.equal(await states(manager), ['changed', 'present', 'present']);
});

test('a Save approves what its caller saw of the tools that it switches on', async ({ manager }) => {
  await manager.call('POST /api/update', { tools: [] });
  change(manager);
  const definition_hashes = { files__read: hashOf(first.read), files__write: hashOf(second.write) };
  await manager.call('POST /api/groups/default/tools', {
    tools: [...all, 'files__list'],
    definition_hashes,
  });

  assert.equal(await states(manager), ['changed', 'present', 'present']);
});

test('switched off and on again with what was approved before, a tool has its mark and its text back', async ({
  manager,
}) => {
  change(manager);
  const approved = (await listed(manager)).read?.approved_hash;
  await manager.call('POST /api/update', { tools: ['files__write'] });
  await manager.call('POST /api/update', { tools: all, definition_hashes: { files__read: approved } });

  assert.equal(await states(manager), ['changed', 'changed', 'present']);
  const { body } = await manager.call('GET /api/tools/files__read/change');
  assert.is(body.approved.definition, first.read);
});

test('a new group has approved what its maker saw', async ({ manager }) => {
  change(manager);
  const definition_hashes = { files__read: hashOf(first.read) };
  await manager.call('POST /api/groups/copy', { tools: all, definition_hashes });
  const { body } = await manager.call('GET /api/tools?group=copy');

  assert.equal(
    body.servers.files.map(({ state }: Listed) => state),
    ['changed', 'present', 'present'],
  );
});

test('the change is shown, before and after, to the letter', async ({ manager }) => {
  change(manager);
  const { status, body } = await manager.call('GET /api/tools/files__read/change?group=default');

  assert.is(status, 200);
  assert.equal(body, {
    success: true,
    group: 'default',
    tool: 'files__read',
    current: { definition_hash: hashOf(second.read), definition: second.read },
    approved: {
      definition_hash: hashOf(first.read),
      definition: first.read,
      approved_at: '1970-01-01T00:00:00.000Z',
    },
  });
});

test('of a definition that was too long to keep, or seen elsewhere, the text is not known', async ({
  manager,
}) => {
  const long = JSON.stringify({ name: 'list', description: 'x'.repeat(70_000) });
  manager.catalog.setTools('files', [first.read, long]);
  await manager.call('POST /api/tools/enable', { tool: 'files__list' });
  const before = await manager.call('GET /api/tools/files__list/change');
  manager.catalog.setTools('files', [first.read, second.list]);
  const after = await manager.call('GET /api/tools/files__list/change');

  assert.is(before.body.approved.definition, long, 'as long as it is the current one');
  assert.equal(
    [after.body.approved.definition_hash, after.body.approved.definition],
    [hashOf(long), undefined],
  );
});

test('approving is an act of its own, of the definition that was seen and of no later one', async ({
  manager,
}) => {
  change(manager);
  const approve = (definition: string, more = {}) =>
    manager.call('POST /api/tools/files__read/approve', { definition_hash: hashOf(definition), ...more });
  const late = await approve(first.read);
  assert.equal(
    [late.status, late.body.code, late.body.details.definition_hash],
    [409, 'conflict', hashOf(second.read)],
  );
  assert.equal(await states(manager), ['changed', 'changed', 'present']);

  const { status, body } = await approve(second.read, { group: 'default' });

  assert.equal([status, body.group, body.tool], [200, 'default', 'files__read']);
  assert.equal(await states(manager), ['present', 'changed', 'present']);
});

test('what is not in the group can be neither looked at nor approved', async ({ manager }) => {
  const definition_hash = hashOf(first.list);
  for (const tool of ['files__list', 'files__lisst', '__proto__', 'a%2Fb']) {
    const looked = await manager.call(`GET /api/tools/${tool}/change`);
    const approved = await manager.call(`POST /api/tools/${tool}/approve`, { definition_hash });
    assert.equal([looked.status, looked.body.code], [404, 'tool_not_found'], tool);
    assert.equal([approved.status, approved.body.code], [404, 'tool_not_found'], tool);
  }
  assert.is((await manager.call('GET /api/tools/files__read/change?group=no')).body.code, 'group_not_found');
});

test('anything but a hash is 400, and nothing is changed', async ({ manager }) => {
  change(manager);
  const tools = [...all, 'files__list'];
  for (const definition_hash of ['', 'x', hashOf('').toUpperCase(), `${hashOf('')}0`, 5, null, {}]) {
    const answers = [
      await manager.call('POST /api/tools/toggle', { tool: 'files__list', definition_hash }),
      await manager.call('POST /api/update', { tools, definition_hashes: { files__list: definition_hash } }),
      await manager.call('POST /api/tools/files__read/approve', { definition_hash }),
    ];
    for (const { status, body } of answers) {
      assert.equal([status, body.code], [400, 'invalid_params'], JSON.stringify(definition_hash));
    }
  }
  const odd = `{"tools":["files__read"],"definition_hashes":{"__proto__":"${hashOf('')}"}}`;
  assert.is((await manager.call('POST /api/update', odd)).status, 200);
  assert.is((await manager.call('POST /api/tools/files__read/approve', {})).status, 400);
  assert.equal((await states(manager))[0], 'changed');
});

test.run();
