import { mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseServerConfig } from '../../../lib/config/parse-server-config.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { stdio, withRegistry } from './registry-fixture.ts';
import type { SteeredUpstreams } from './steered-upstreams.ts';

const test = suite('config files and what is registered');

const listed = (...names: string[]) =>
  names.map((name) => ({ name, definition: `{"name":"${name}","inputSchema":{"type":"object"}}` }));

const reference = (name: string) => `\${${name}}`;

test('boot: a file without a stored server is registered, and its tools are listed in the background', () =>
  withRegistry(async ({ registry, catalog, writeConfig, toolNames }) => {
    await writeConfig('demo', stdio('demo'));

    await registry.start();

    assert.ok(catalog.server('demo'), 'it is not listed yet');
    await waitUntil('its tools are known', () => toolNames('demo')?.[0] === 'echo');
  }));

test('boot: a stored server with the same config is ready without being started', () =>
  withRegistry(async ({ registry, restartService }) => {
    await registry.register(stdio('demo'));

    const next = restartService();
    await next.registry.start();

    assert.equal(next.upstreams.steps, ['install demo']);
    assert.equal(next.toolNames('demo'), ['echo']);
  }));

test('boot: a config that changed meanwhile is listed anew, its older tools stay until then', () =>
  withRegistry(async ({ registry, writeConfig, restartService }) => {
    await registry.register(stdio('demo'));
    await writeConfig('demo', stdio('demo', { args: ['--new'] }));

    const next = restartService();
    next.upstreams.behave('demo', 'dies');
    await next.registry.start();

    assert.equal(next.upstreams.serving.get('demo')?.args, ['--new']);
    assert.equal(next.toolNames('demo'), ['echo']);
    assert.ok(next.upstreams.steps.includes('restart demo'));
  }));

test('boot: a stored server without a file is dropped', () =>
  withRegistry(async ({ registry, catalog, writeConfig }) => {
    await catalog.store(parseServerConfig(stdio('stale')), listed('echo'));
    await writeConfig('demo', stdio('demo'));

    await registry.start();

    assert.is(catalog.server('stale'), undefined);
    assert.ok(catalog.server('demo'));
  }));

test('boot: without the folder every stored server stays and serves, also after the folder is back', () =>
  withRegistry(async ({ registry, upstreams, catalog, writeConfig }) => {
    await catalog.store(parseServerConfig(stdio('stored')), listed('echo'));

    await registry.start();
    assert.ok(upstreams.serving.has('stored'));
    await writeConfig('late', stdio('late'));
    await registry.reconcile();

    assert.ok(catalog.server('stored'), 'it was dropped for want of a file');
    assert.ok(catalog.server('late'));
  }));

test('boot: a folder that cannot be read drops nothing', () =>
  withRegistry(async ({ registry, catalog, directory }) => {
    await catalog.store(parseServerConfig(stdio('stored')), listed('echo'));
    await writeFile(directory, 'a file in the place of the folder');

    await registry.start();

    assert.ok(catalog.server('stored'));
  }));

test('the first start of all creates the folder', () =>
  withRegistry(async ({ registry, writeConfig, catalog, directory }) => {
    await registry.start();

    assert.ok((await stat(directory)).isDirectory());
    await writeConfig('demo', stdio('demo'));
    await waitUntil('it is registered', () => catalog.server('demo'), { limitMs: 1_000 });
  }));

test('a file that appears is registered within a second, one that goes deregisters, its secrets stay', () =>
  withRegistry(async ({ registry, upstreams, catalog, secrets, writeConfig, toolNames, directory }) => {
    await secrets.write(new Map([['DEMO__TOKEN', 'hush']]));
    await registry.start();

    await writeConfig('demo', stdio('demo'));
    await waitUntil('it is listed', () => toolNames('demo')?.length === 1, { limitMs: 1_000 });
    await rm(join(directory, 'demo.json'));
    await waitUntil('it is gone', () => !catalog.server('demo'), { limitMs: 1_000 });

    assert.is(upstreams.serving.has('demo'), false);
    assert.equal([...(await secrets.names())], ['DEMO__TOKEN']);
  }));

test('a changed file is applied once its server has listed its tools', () =>
  withRegistry(async ({ registry, upstreams, writeConfig, toolNames }) => {
    await registry.register(stdio('demo'));
    await registry.start();
    upstreams.behave('demo', ['echo', 'more']);

    await writeConfig('demo', stdio('demo', { args: ['--new'] }));
    await waitUntil('the new one serves', () => upstreams.serving.get('demo')?.args[0] === '--new', {
      limitMs: 1_000,
    });

    assert.equal(toolNames('demo'), ['echo', 'more']);
    assert.equal(upstreams.steps.slice(-2), ['prepare demo', 'commit demo']);
  }));

test('of two edits while its server starts the second counts, whichever has started first', () =>
  withRegistry(async ({ registry, upstreams, writeConfig, toolNames }) => {
    await registry.register(stdio('demo'));
    await registry.start();
    const firstEdit = edit(upstreams);
    await writeConfig('demo', stdio('demo', { args: ['--first'] }));
    await registry.reconcile();
    const secondEdit = edit(upstreams);
    await writeConfig('demo', stdio('demo', { args: ['--second'] }));
    await registry.reconcile();

    firstEdit.lists(['first']);
    await waitUntil('the first is given up', () => upstreams.steps.includes('discard demo'));
    secondEdit.lists(['second']);
    await waitUntil('the second serves', () => upstreams.serving.get('demo')?.args[0] === '--second');

    assert.equal(toolNames('demo'), ['second']);
    assert.is(upstreams.startedWith.length, 3, 'once registered, and once for each edit');
  }));

test('an edit that is taken back while its server starts does not come into effect', () =>
  withRegistry(async ({ registry, upstreams, writeConfig, toolNames }) => {
    await registry.register(stdio('demo'));
    await registry.start();
    const onceEdited = edit(upstreams);
    await writeConfig('demo', stdio('demo', { args: ['--new'] }));
    await registry.reconcile();
    await writeConfig('demo', stdio('demo'));
    await registry.reconcile();

    onceEdited.lists(['new']);
    await waitUntil('its start is over', () => /(discard|commit) demo/.test(upstreams.steps.at(-1) ?? ''));

    assert.is(upstreams.steps.at(-1), 'discard demo');
    assert.equal(upstreams.serving.get('demo')?.args, []);
    assert.equal(toolNames('demo'), ['echo']);
  }));

test('while a changed file does not start the one before it serves, and the problem is shown', () =>
  withRegistry(async ({ registry, upstreams, writeConfig, toolNames }) => {
    await registry.register(stdio('demo'));
    await registry.start();
    upstreams.behave('demo', 'dies');

    await writeConfig('demo', stdio('demo', { args: ['--bad'] }));
    await waitUntil('the problem is known', () => registry.problem('demo'), { limitMs: 1_000 });

    assert.equal(upstreams.serving.get('demo')?.args, []);
    assert.equal(toolNames('demo'), ['echo']);
    upstreams.behave('demo', ['echo']);
    await writeConfig('demo', stdio('demo', { args: ['--good'] }));
    await waitUntil('it is repaired', () => upstreams.serving.get('demo')?.args[0] === '--good', {
      limitMs: 1_000,
    });
    assert.is(registry.problem('demo'), undefined);
  }));

test('a changed file whose secrets are missing leaves the one before it serving, one that never served gives way', () =>
  withRegistry(async ({ registry, upstreams, writeConfig, toolNames }) => {
    await registry.register(stdio('demo'));
    await registry.start();

    await writeConfig('demo', stdio('demo', { env: { KEY: reference('ABSENT') } }));
    await waitUntil('the problem is known', () => registry.problem('demo'));

    assert.match(registry.problem('demo') ?? '', 'the variable ABSENT has no value');
    assert.equal(upstreams.serving.get('demo')?.env, {});
    assert.equal(toolNames('demo'), ['echo']);

    await writeConfig('late', stdio('late', { env: { KEY: reference('ABSENT') } }));
    await waitUntil('it is registered', () => upstreams.serving.has('late'));
    await writeConfig('late', stdio('late', { env: { KEY: reference('OTHER') } }));
    await waitUntil(
      'the change is in effect',
      () => upstreams.serving.get('late')?.env.KEY === reference('OTHER'),
    );
    assert.is(registry.problem('late'), undefined);
  }));

test('a changed file that does not start is not started again at every look', () =>
  withRegistry(async ({ registry, upstreams, writeConfig }) => {
    await registry.register(stdio('demo'));
    await registry.start();
    upstreams.behave('demo', 'dies');
    await writeConfig('demo', stdio('demo', { args: ['--bad'] }));
    await waitUntil('the problem is known', () => registry.problem('demo'));

    await registry.reconcile();
    await registry.reconcile();

    assert.is(upstreams.steps.filter((step) => step === 'prepare demo').length, 2);
  }));

test('a broken file keeps its last good version, and its repair takes the problem away', () =>
  withRegistry(async ({ registry, upstreams, writeConfig, toolNames }) => {
    await writeConfig('demo', stdio('demo'));
    await registry.start();
    await waitUntil('its tools are known', () => toolNames('demo')?.length === 1);

    await writeConfig('demo', '{"name": "demo", "transp');
    await waitUntil('the problem is known', () => registry.problem('demo'), { limitMs: 1_000 });

    assert.is(registry.problem('demo'), 'The file is not valid JSON.');
    assert.ok(upstreams.serving.has('demo'));
    assert.equal(toolNames('demo'), ['echo']);
    await writeConfig('demo', stdio('demo'));
    await waitUntil('it is repaired', () => !registry.problem('demo'), { limitMs: 1_000 });
  }));

test('a file broken at boot serves what was stored', () =>
  withRegistry(async ({ registry, writeConfig, restartService }) => {
    await registry.register(stdio('demo'));
    await writeConfig('demo', 'no JSON');

    const next = restartService();
    await next.registry.start();

    assert.ok(next.upstreams.serving.has('demo'));
    assert.equal(next.toolNames('demo'), ['echo']);
    assert.is(next.registry.brokenFiles().size, 0);
  }));

test('files that were never usable are listed with their problem and harm no other server', () =>
  withRegistry(async ({ registry, catalog, directory, writeConfig }) => {
    await mkdir(join(directory, 'folder.json'), { recursive: true });
    await symlink('/etc/hostname', join(directory, 'link.json'));
    await writeConfig('other', stdio('another'));
    await writeConfig('a__b', stdio('a__b'));
    await writeConfig('unknown', stdio('unknown', { shell: true }));
    await writeConfig('good', stdio('good'));

    await registry.start();

    assert.ok(catalog.server('good'));
    assert.equal(Object.fromEntries(registry.brokenFiles()), {
      a__b: 'The name of the file is not a server name: letters and digits, with single `.`, `_` or `-` between them, at most 30 characters.',
      folder: 'It is not a regular file.',
      link: 'It is a link that leads out of its folder; such links are not followed.',
      other: 'Field `name`: expected the name of the file.',
      unknown: 'Unknown field `shell`.',
    });
  }));

test('servers that never answer do not keep the others waiting', () =>
  withRegistry(async ({ registry, upstreams, writeConfig, toolNames }) => {
    for (const name of ['a', 'b', 'c']) upstreams.behave(name, 'hangs');
    for (const name of ['a', 'b', 'c', 'd', 'e']) await writeConfig(name, stdio(name));

    await registry.start();

    await waitUntil('the others are listed', () => toolNames('d')?.length && toolNames('e')?.length, {
      limitMs: 1_000,
    });
  }));

test('a new file is taken over once the database is back', () =>
  withRegistry(async ({ registry, catalog, setDatabaseAway, writeConfig }) => {
    await registry.start();
    setDatabaseAway(true);
    await writeConfig('demo', stdio('demo'));
    await registry.reconcile();
    assert.is(catalog.server('demo'), undefined);

    setDatabaseAway(false);
    await registry.reconcile();

    assert.ok(catalog.server('demo'));
  }));

test('literal values in a file written by hand are used, with a warning that does not show them', () =>
  withRegistry(async ({ registry, upstreams, logged, writeConfig }) => {
    await writeConfig('demo', stdio('demo', { env: { TOKEN: 'hush-hush' } }));

    await registry.start();
    await waitUntil('it is started', () => upstreams.startedWith.length > 0);

    assert.is(upstreams.startedWith[0]?.env.TOKEN, 'hush-hush');
    const warning = logged.find((entry) => entry.level === 'warn' && entry.fields.server === 'demo');
    assert.equal(warning?.fields.places, ['env.TOKEN']);
    assert.not.match(JSON.stringify(logged), 'hush-hush');
  }));

test('a look that began before a registration does not undo it', () =>
  withRegistry(async ({ registry, upstreams, catalog, holdNextLook }) => {
    await registry.start();
    const release = holdNextLook();
    const look = registry.reconcile();

    await registry.register(stdio('demo'));
    release();
    await look;
    await registry.reconcile();

    assert.ok(catalog.server('demo'));
    assert.not(upstreams.steps.includes('remove demo'), 'the look took the server for removed');
  }));

/** Changes the server as an edit would: from now on it starts when the test says so. */
function edit(upstreams: SteeredUpstreams): { lists(tools: readonly string[]): void } {
  let lists: (tools: readonly string[]) => void = () => {};
  upstreams.behave(
    'demo',
    new Promise((resolve) => {
      lists = resolve;
    }),
  );
  return { lists: (tools) => lists(tools) };
}

test.run();
