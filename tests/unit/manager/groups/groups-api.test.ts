import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { managerRoutes } from '../../../../handlers/manager/routes.ts';
import { serveManager } from '../../../../handlers/manager/serve-manager.ts';
import { createManagerFixture, type ManagerFixture } from './manager-fixture.ts';

const test = suite<{ manager: ManagerFixture }>('/api/groups');

test.before.each(async (context) => {
  context.manager = await createManagerFixture();
  context.manager.catalog.setTools('files', ['read', 'write']);
});
test.after.each((context) => context.manager.close());

test('GET /api/groups lists the names, the default one, and where agents connect', async ({ manager }) => {
  await manager.groups.create('Zoo', {});
  const { body } = await manager.call('GET /api/groups');

  assert.equal(body, {
    success: true,
    groups: ['Zoo', 'default'],
    default: 'default',
    gateway_url: 'http://127.0.0.1:3700',
  });
});

test('GET /api/groups answers 503 until the folder was read, for a group left out would seem deleted', async ({
  manager,
}) => {
  const { context, groups } = manager;
  const unread = serveManager(managerRoutes(), { ...context, groups: { ...groups, isLoaded: () => false } });
  const answer = await unread(new Request('http://127.0.0.1:3701/api/groups'));

  assert.is(answer.status, 503);
  assert.is((await answer.json()).code, 'database_unavailable');
});

test('POST creates a group and answers 201 with its file', async ({ manager }) => {
  const { status, body } = await manager.call('POST /api/groups/ops', {
    description: 'Operators',
    tools: ['files__read'],
  });

  assert.is(status, 201);
  assert.equal(body.group, { name: 'ops', description: 'Operators', included_tools: ['files__read'] });
  assert.equal(await manager.folder.json('ops'), body.group);
  assert.equal([...manager.approvals.approved('ops').keys()], ['files__read']);
});

test('POST refuses a taken name, a bad name, an unknown tool, an unknown field and a long description', async ({
  manager,
}) => {
  const refused = async (path: string, body: unknown) => {
    const answer = await manager.call(`POST /api/groups/${path}`, body);
    return [answer.status, answer.body.code];
  };

  assert.equal(await refused('default', {}), [409, 'conflict']);
  assert.equal(await refused('..%2fup', {}), [400, 'invalid_params']);
  assert.equal(await refused('a%20b', {}), [400, 'invalid_params']);
  assert.equal(await refused('%zz', {}), [400, 'invalid_request']);
  assert.equal(await refused('ops', { tools: ['files__raed'] }), [404, 'tool_not_found']);
  assert.equal(await refused('ops', { included_tools: [] }), [400, 'invalid_params']);
  assert.equal(await refused('ops', { description: 'x'.repeat(8193) }), [400, 'invalid_params']);
  assert.equal(await manager.folder.files(), ['default.json']);
});

test('GET /api/groups/{name} shows the file as it is, unknown fields included', async ({ manager }) => {
  const { body: created } = await manager.call('POST /api/groups/ops', {});
  const { body } = await manager.call('GET /api/groups/ops');

  assert.equal([body.group, body.etag], [created.group, created.etag]);
  assert.is((await manager.call('GET /api/groups/nosuch')).body.code, 'group_not_found');
  assert.is((await manager.call('GET /api/groups/constructor')).status, 404);
});

test('DELETE removes the file, but never that of the default group', async ({ manager }) => {
  await manager.groups.create('ops', {});

  assert.is((await manager.call('DELETE /api/groups/ops')).status, 200);
  assert.is((await manager.call('DELETE /api/groups/ops')).body.code, 'group_not_found');
  assert.equal((await manager.call('DELETE /api/groups/default')).status, 409);
  assert.equal(await manager.folder.files(), ['default.json']);
});

test('PUT and POST replace the whole list and accept what is in it', async ({ manager }) => {
  for (const method of ['PUT', 'POST']) {
    const { body } = await manager.call(`${method} /api/groups/default/tools`, {
      tools: ['files__write', 'files__read'],
    });
    assert.equal(body.tools, ['files__write', 'files__read']);
  }
  assert.equal((await manager.folder.json('default')).included_tools, ['files__write', 'files__read']);
  assert.is(
    manager.approvals.approved('default').get('files__read'),
    manager.catalog.tool('files__read')?.hash,
  );
});

test('a list may keep a tool that vanished, not bring in one that is unknown', async ({ manager }) => {
  await manager.folder.write('default', { name: 'default', included_tools: ['gone__tool'] });
  const kept = await manager.call('PUT /api/groups/default/tools', { tools: ['files__read', 'gone__tool'] });
  const added = await manager.call('PUT /api/groups/default/tools', {
    tools: ['files__read', 'other__tool'],
  });

  assert.equal(kept.body.tools, ['files__read', 'gone__tool']);
  assert.equal([added.status, added.body.code], [404, 'tool_not_found']);
});

test('with If-Match a list that somebody else changed is 409 and shows the current one', async ({
  manager,
}) => {
  const { body: before } = await manager.call('GET /api/groups/default/tools');
  const headers = { 'If-Match': before.etag };
  const first = await manager.call('PUT /api/groups/default/tools', { tools: ['files__read'] }, headers);
  const second = await manager.call('PUT /api/groups/default/tools', { tools: [] }, headers);

  assert.is(first.status, 200);
  assert.equal([second.status, second.body.code], [409, 'group_changed']);
  assert.equal(second.body.details, { tools: ['files__read'], etag: first.body.etag });
  const again = await manager.call(
    'PUT /api/groups/default/tools',
    { tools: [] },
    { 'If-Match': first.body.etag },
  );
  assert.is(again.status, 200);
});

test('If-Match also notices a hand edit that nobody has read yet', async ({ manager }) => {
  const { body: before } = await manager.call('GET /api/groups/default/tools');
  await manager.folder.write('default', { name: 'default', included_tools: ['files__write'] });
  const { body } = await manager.call(
    'PUT /api/groups/default/tools',
    { tools: [] },
    { 'If-Match': before.etag },
  );

  assert.equal([body.code, body.details.tools], ['group_changed', ['files__write']]);
});

test('If-Match `*` and a weak etag are understood', async ({ manager }) => {
  const { body: before } = await manager.call('GET /api/groups/default/tools');
  const weak = { 'If-Match': `W/${before.etag}` };

  assert.is(
    (await manager.call('PUT /api/groups/default/tools', { tools: ['files__read'] }, weak)).status,
    200,
  );
  assert.is(
    (await manager.call('PUT /api/groups/default/tools', { tools: [] }, { 'If-Match': '*' })).status,
    200,
  );
});

test("POST /api/update replaces the default group's list", async ({ manager }) => {
  const { body } = await manager.call('POST /api/update', { tools: ['files__read', 'files__read'] });

  assert.equal([body.group, body.tools], ['default', ['files__read']]);
  assert.is((await manager.call('POST /api/update', { tools: 'files__read' })).status, 400);
  assert.is(
    (await manager.call('POST /api/update', { tools: [1] })).body.error,
    'Field `tools.0`: expected a string.',
  );
});

test.run();
