import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createManagerFixture, type ManagerFixture } from './manager-fixture.ts';

const test = suite<{ manager: ManagerFixture }>('switching tools');

test.before.each(async (context) => {
  context.manager = await createManagerFixture();
  context.manager.catalog.setTools('files', ['read', 'write']);
  await context.manager.folder.write('default', {
    name: 'default',
    included_tools: ['files__read', 'gone__tool'],
  });
  await context.manager.groups.change('default', (group) => group);
});
test.after.each((context) => context.manager.close());

test('POST /api/tools/toggle flips, appends at the end, and answers with the whole list', async ({
  manager,
}) => {
  const on = await manager.call('POST /api/tools/toggle', { tool: 'files__write' });
  const off = await manager.call('POST /api/tools/toggle', { tool: 'files__read' });

  assert.equal(on.body, {
    success: true,
    message: 'The tool is now in group `default`.',
    group: 'default',
    tools: ['files__read', 'gone__tool', 'files__write'],
    enabled: true,
    etag: on.body.etag,
  });
  assert.equal([off.body.tools, off.body.enabled], [['gone__tool', 'files__write'], false]);
  assert.equal((await manager.folder.json('default')).included_tools, ['gone__tool', 'files__write']);
});

test('with If-Match of before another change nothing is switched, with that of now it is', async ({
  manager,
}) => {
  const switchOn = (etag: string, path = '/api/tools/enable') =>
    manager.call(`POST ${path}`, { tool: 'files__write' }, { 'If-Match': etag });
  const { body: before } = await manager.call('GET /api/current');
  const { body: after } = await manager.call('POST /api/tools/disable', { tool: 'gone__tool' });

  for (const path of ['/api/tools/enable', '/api/groups/default/tools/enable']) {
    const { status, body } = await switchOn(before.etag, path);
    assert.equal(
      [status, body.code, body.details],
      [409, 'group_changed', { tools: after.tools, etag: after.etag }],
    );
  }
  const { status, body } = await switchOn(after.etag);

  assert.equal([status, body.tools], [200, ['files__read', 'files__write']]);
});

test('If-Match of anything else than one etag is refused', async ({ manager }) => {
  for (const etag of ['', 'abc', '"a", "b"', 'W/abc']) {
    const headers = { 'If-Match': etag };
    const { status, body } = await manager.call('POST /api/tools/toggle', { tool: 'files__write' }, headers);
    assert.equal([status, body.code], [400, 'invalid_params'], etag);
    assert.match(body.error, '`If-Match`');
  }
});

test('with `enabled` it sets, and setting twice is the same as once', async ({ manager }) => {
  for (const _ of [1, 2]) {
    const { body } = await manager.call('POST /api/tools/toggle', { tool: 'files__write', enabled: true });
    assert.equal([body.tools, body.enabled], [['files__read', 'gone__tool', 'files__write'], true]);
  }
  for (const _ of [1, 2]) {
    const { body } = await manager.call('POST /api/tools/toggle', { tool: 'files__write', enabled: false });
    assert.equal([body.tools, body.enabled], [['files__read', 'gone__tool'], false]);
  }
});

test('adding an unknown tool is 404 with the nearest names, and the file stays', async ({ manager }) => {
  const before = await manager.folder.text('default');
  const { status, body } = await manager.call('POST /api/tools/toggle', { tool: 'files__wirte' });

  assert.equal([status, body.success, body.code], [404, false, 'tool_not_found']);
  assert.is(body.details.did_you_mean[0], 'files__write');
  assert.match(body.error, /`files__wirte`/);
  assert.is(await manager.folder.text('default'), before);
});

test('odd names are unknown tools, not members of objects', async ({ manager }) => {
  for (const tool of ['nosep', 'x__', '__proto____x', '__proto__', 'constructor', 'a'.repeat(100_000)]) {
    const { status, body } = await manager.call('POST /api/tools/toggle', { tool });
    assert.equal([status, body.code], [404, 'tool_not_found']);
    assert.ok(JSON.stringify(body).length < 1000);
  }
});

test('a tool that has vanished can be removed, once it is out not be added', async ({ manager }) => {
  const off = await manager.call('POST /api/tools/toggle', { tool: 'gone__tool' });
  const on = await manager.call('POST /api/tools/toggle', { tool: 'gone__tool' });

  assert.equal(off.body.tools, ['files__read']);
  assert.is(on.status, 404);
});

test('wrong fields are 400, named, and their values are not repeated', async ({ manager }) => {
  const refusals: [unknown, string][] = [
    [{}, 'Field `tool`: expected a string.'],
    [{ tool: null }, 'Field `tool`: expected a string.'],
    [{ tool: '' }, 'Field `tool`: expected a nonempty string.'],
    [{ tool: 5 }, 'Field `tool`: expected a string.'],
    [{ tool: ['files__read'] }, 'Field `tool`: expected a string.'],
    [{ tool: { toString: 1 } }, 'A value is of the wrong type.'],
    [{ tool: 'files__read', enabled: 'hunter2' }, 'Field `enabled`: expected a boolean.'],
    [{ tool: 'files__read', enabled: null }, 'Field `enabled`: expected a boolean.'],
    [{ tool: 'files__read', colour: 'red' }, 'Unknown field `colour`.'],
    ['{"tool":"files__read","__proto__":{"enabled":true}}', 'Unknown field `__proto__`.'],
    [[], 'Expected an object.'],
    ['null', 'Expected an object.'],
  ];
  for (const [sent, error] of refusals) {
    const { status, body } = await manager.call('POST /api/tools/toggle', sent);
    assert.equal([status, body.code, body.error], [400, 'invalid_params', error]);
  }
});

test('a body that is no JSON, or not called JSON, is refused', async ({ manager }) => {
  const plain = { 'Content-Type': 'text/plain' };

  assert.is((await manager.call('POST /api/tools/toggle', '{')).body.code, 'parse_error');
  assert.is((await manager.call('POST /api/tools/toggle', '')).body.code, 'parse_error');
  assert.is((await manager.call('POST /api/tools/toggle', '{"tool":"files__read"}', plain)).status, 415);
});

test('an unknown group is 404, before the tool is looked at', async ({ manager }) => {
  const { status, body } = await manager.call('POST /api/tools/toggle', {
    tool: 'no__such',
    group: 'nosuch',
  });

  assert.equal([status, body.code], [404, 'group_not_found']);
});

test('a group with a problem is 409 and its file untouched', async ({ manager }) => {
  await manager.folder.write('default', '{"name":');
  const { status, body } = await manager.call('POST /api/tools/toggle', { tool: 'files__write' });

  assert.equal([status, body.code], [409, 'group_unreadable']);
  assert.is(await manager.folder.text('default'), '{"name":');
});

test('POST /api/tools/enable and disable set, in any group', async ({ manager }) => {
  await manager.groups.create('ops', {});
  const on = await manager.call('POST /api/tools/enable', { tool: 'files__read', group: 'ops' });
  const off = await manager.call('POST /api/tools/disable', { tool: 'files__read', group: 'ops' });

  assert.equal([on.body.group, on.body.tools, on.body.enabled], ['ops', ['files__read'], true]);
  assert.equal([off.body.tools, off.body.enabled], [[], false]);
  assert.is(
    (await manager.call('POST /api/tools/enable', { tool: 'files__read', enabled: true })).status,
    400,
  );
});

test('POST /api/groups/{name}/tools/enable, disable and toggle do the same for the group in the path', async ({
  manager,
}) => {
  await manager.groups.create('ops', {});
  const on = await manager.call('POST /api/groups/ops/tools/enable', { tool: 'files__read' });
  const flipped = await manager.call('POST /api/groups/ops/tools/toggle', { tool: 'files__read' });
  const off = await manager.call('POST /api/groups/ops/tools/disable', { tool: 'files__read' });

  assert.equal(
    [on, flipped, off].map(({ body }) => [body.group, body.tools, body.enabled]),
    [
      ['ops', ['files__read'], true],
      ['ops', [], false],
      ['ops', [], false],
    ],
  );
  assert.is(
    (await manager.call('POST /api/groups/nosuch/tools/enable', { tool: 'files__read' })).status,
    404,
  );
  assert.is(
    (await manager.call('POST /api/groups/ops/tools/enable', { tool: 'a', group: 'ops' })).status,
    400,
  );
});

test('switching a tool of an included server off and on again excludes it and lifts that', async ({
  manager,
}) => {
  await manager.folder.write('whole', { name: 'whole', included_tools: [], included_servers: ['files'] });
  await manager.groups.change('default', (group) => group);
  await waitForGroup(manager, 'whole');
  const off = await manager.call('POST /api/groups/whole/tools/toggle', { tool: 'files__read' });
  assert.equal(off.body.tools, ['files__write']);
  assert.equal((await manager.folder.json('whole')).excluded_tools, ['files__read']);

  const on = await manager.call('POST /api/groups/whole/tools/toggle', { tool: 'files__read' });
  assert.equal(on.body.tools, ['files__read', 'files__write']);
  assert.equal((await manager.folder.json('whole')).excluded_tools, []);
});

async function waitForGroup(manager: ManagerFixture, name: string): Promise<void> {
  for (let tries = 0; tries < 100 && !manager.groups.read(name); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test.run();
