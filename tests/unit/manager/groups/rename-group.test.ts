import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createManagerFixture, type ManagerFixture } from './manager-fixture.ts';

const test = suite<{ manager: ManagerFixture }>('POST /api/groups/{name}/rename');

test.before.each(async (context) => {
  context.manager = await createManagerFixture();
  context.manager.catalog.setTools('files', ['{"name":"read","x":1}', '{"name":"write"}']);
  await context.manager.call('POST /api/groups/team', { tools: ['files__read'], description: 'A team' });
});
test.after.each((context) => context.manager.close());

test('the group has its tools and description under the new name', async ({ manager }) => {
  const { status, body } = await manager.call('POST /api/groups/team/rename', { name: 'crew' });

  assert.is(status, 200);
  assert.equal([body.success, body.group.name, body.group.description], [true, 'crew', 'A team']);
  const { tools, etag } = (await manager.call('GET /api/groups/crew/tools')).body;
  assert.equal([tools, etag], [['files__read'], body.etag]);
  assert.equal((await manager.call('GET /api/groups')).body.groups, ['crew', 'default']);
});

test('who still asks for the old name is told the new one', async ({ manager }) => {
  await manager.call('POST /api/groups/team/rename', { name: 'crew' });

  const { status, body } = await manager.call('GET /api/groups/team/tools');

  assert.is(status, 404);
  assert.equal(
    [body.code, body.error],
    ['group_not_found', 'There is no group of that name. It is called `crew` now.'],
  );
});

test('what was approved stays approved, and a change that was not stays one', async ({ manager }) => {
  manager.catalog.setTools('files', ['{"name":"read","x":2}', '{"name":"write"}']);
  const stateIn = async (group: string) => {
    const { servers } = (await manager.call(`GET /api/tools?group=${group}`)).body;
    return servers.files[0].state;
  };
  const before = await stateIn('team');

  await manager.call('POST /api/groups/team/rename', { name: 'crew' });

  assert.equal([before, await stateIn('crew')], ['changed', 'changed']);
});

test('a version that is not the current one is refused with the current list', async ({ manager }) => {
  const stale = { 'if-match': '"stale"' };

  const refused = await manager.call('POST /api/groups/team/rename', { name: 'crew' }, stale);
  const { etag } = (await manager.call('GET /api/groups/team/tools')).body;
  const done = await manager.call('POST /api/groups/team/rename', { name: 'crew' }, { 'if-match': etag });

  assert.equal([refused.status, refused.body.code], [409, 'group_changed']);
  assert.equal(refused.body.details.tools, ['files__read']);
  assert.is(done.status, 200);
});

const badInputs: Readonly<Record<string, readonly [path: string, body: unknown, status: number]>> = {
  'no name': ['team', {}, 400],
  'a name that is a number': ['team', { name: 5 }, 400],
  'a name that leaves the folder': ['team', { name: '../x' }, 400],
  'an empty name': ['team', { name: '' }, 400],
  'a field that is not known': ['team', { name: 'crew', to: 'x' }, 400],
  'no body': ['team', undefined, 415],
  'the same name': ['team', { name: 'team' }, 409],
  'a name that is taken': ['team', { name: 'default' }, 409],
  'the default group': ['default', { name: 'crew' }, 409],
  'no such group': ['nosuch', { name: 'crew' }, 404],
};

for (const [what, [path, body, status]] of Object.entries(badInputs)) {
  test(`bad input: ${what}`, async ({ manager }) => {
    const answer = await manager.call(`POST /api/groups/${path}/rename`, body);

    assert.is(answer.status, status, answer.text);
    assert.equal(await manager.folder.files(), ['default.json', 'team.json']);
  });
}

test.run();
