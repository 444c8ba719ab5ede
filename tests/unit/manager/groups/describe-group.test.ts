import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createManagerFixture, type ManagerFixture } from './manager-fixture.ts';

const test = suite<{ manager: ManagerFixture }>('PUT /api/groups/{name} and GET /api/groups/{name}/clients');

test.before.each(async (context) => {
  context.manager = await createManagerFixture();
  context.manager.catalog.setTools('files', ['read', 'write']);
});
test.after.each((context) => context.manager.close());

test('describing a group changes its description in the file, and nothing else there', async ({
  manager,
}) => {
  const file = {
    name: 'default',
    owner: 'ops',
    included_tools: ['files__read', 'gone__tool'],
    included_servers: ['files'],
  };
  await manager.folder.write('default', file);

  const { status, body } = await manager.call('PUT /api/groups/default', { description: 'For all' });

  assert.is(status, 200);
  assert.equal(body.group, { ...file, description: 'For all' });
  assert.equal(await manager.folder.json('default'), body.group);
  assert.is((await manager.call('GET /api/current')).body.description, 'For all');
});

test('the same description again writes nothing, an empty one is kept as such', async ({ manager }) => {
  const first = await manager.call('PUT /api/groups/default', { description: 'For all' });
  const again = await manager.call('PUT /api/groups/default', { description: 'For all' });
  const emptied = await manager.call('PUT /api/groups/default', { description: '' });

  assert.is(again.body.etag, first.body.etag);
  assert.is(emptied.body.group.description, '');
});

test('with If-Match a group that somebody else changed is 409 and stays as it is', async ({ manager }) => {
  const { body: before } = await manager.call('GET /api/current');
  const headers = { 'If-Match': before.etag };
  await manager.call('PUT /api/groups/default/tools', { tools: ['files__read'] });

  const late = await manager.call('PUT /api/groups/default', { description: 'Late' }, headers);

  assert.equal([late.status, late.body.code], [409, 'group_changed']);
  assert.equal(late.body.details.tools, ['files__read']);
  assert.is.not((await manager.folder.json('default')).description, 'Late');
});

test('a description is refused without a group, when too long, and with fields beside it', async ({
  manager,
}) => {
  const refused = async (path: string, body: unknown) => {
    const answer = await manager.call(`PUT /api/groups/${path}`, body);
    return [answer.status, answer.body.code];
  };

  assert.equal(await refused('nosuch', { description: '' }), [404, 'group_not_found']);
  assert.equal(await refused('default', { description: 'x'.repeat(8193) }), [400, 'invalid_params']);
  assert.equal(await refused('default', {}), [400, 'invalid_params']);
  assert.equal(await refused('default', { description: '', name: 'other' }), [400, 'invalid_params']);
});

test('a group whose file is broken is not described', async ({ manager }) => {
  await manager.folder.write('default', '{');

  const { status, body } = await manager.call('PUT /api/groups/default', { description: 'x' });

  assert.equal([status, body.code], [409, 'group_unreadable']);
  assert.is(await manager.folder.text('default'), '{');
});

test('clients: the endpoint, and a configuration for each kind of agent', async ({ manager }) => {
  await manager.groups.create('ops', {});
  const { status, body } = await manager.call('GET /api/groups/ops/clients');
  const byId = Object.fromEntries(
    body.clients.map((client: { id: string; text: string }) => [client.id, client]),
  );

  assert.is(status, 200);
  assert.is(body.endpoint, 'http://127.0.0.1:3700/v0/groups/ops/mcp');
  assert.equal(Object.keys(byId), ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'windsurf', 'curl']);
  assert.equal(JSON.parse(byId.cursor.text), { mcpServers: { ops: { url: body.endpoint } } });
  assert.equal([byId.cursor.label, byId.cursor.file], ['Cursor', '.cursor/mcp.json']);
  assert.is((await manager.call('GET /api/groups/nosuch/clients')).body.code, 'group_not_found');
});

test.run();
