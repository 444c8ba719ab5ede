import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toReference } from '../../../lib/config/references.ts';
import { codeOf, stdio, withRegistry } from './registry-fixture.ts';

const test = suite('deregistering and restarting a server');

test('takes its connection, its file and its row', () =>
  withRegistry(async ({ registry, upstreams, catalog, readConfig }) => {
    await registry.register(stdio('demo'));

    await registry.deregister('demo');

    assert.is(upstreams.serving.has('demo'), false);
    assert.is(await readConfig('demo'), undefined);
    assert.is(catalog.server('demo'), undefined);
  }));

test('does not come back at the next boot', () =>
  withRegistry(async ({ registry, restartService }) => {
    await registry.register(stdio('demo'));
    await registry.deregister('demo');

    const next = restartService();
    await next.registry.start();

    assert.is(next.catalog.server('demo'), undefined);
    assert.equal(next.upstreams.steps, []);
  }));

test('removes the secrets that it owns, and none that it only referred to', () =>
  withRegistry(async ({ registry, secrets }) => {
    await secrets.write(
      new Map([
        ['SHARED', 's'],
        ['MINE', 'm'],
        ['OF_NOBODY', 'n'],
      ]),
    );
    await registry.register(
      stdio('demo', { env: { A: toReference('SHARED'), B: toReference('MINE'), C: 'literal' } }),
    );
    await registry.register(stdio('other', { args: [`--key=${toReference('SHARED')}`] }));

    await registry.deregister('demo');

    assert.equal([...(await secrets.names())], ['SHARED', 'MINE', 'OF_NOBODY']);
  }));

test('keeps a secret that a broken config file refers to', () =>
  withRegistry(async ({ registry, secrets, writeConfig }) => {
    await secrets.write(new Map([['KEY', 'k']]));
    await writeConfig('broken', `{"name": "broken", "env": {"K": "${toReference('KEY')}"} oops`);
    await registry.start();
    await registry.register(stdio('demo', { env: { K: toReference('KEY') } }));

    await registry.deregister('demo');

    assert.equal([...(await secrets.names())], ['KEY']);
  }));

test('an unknown server is server_not_found', () =>
  withRegistry(async ({ registry }) => {
    assert.is(await codeOf(registry.deregister('nosuch')), 'server_not_found');
    assert.is(await codeOf(registry.deregister('../x')), 'server_not_found');
    assert.is(await codeOf(registry.restart('nosuch')), 'server_not_found');
  }));

test('a server whose file was never usable can be deregistered', () =>
  withRegistry(async ({ registry, writeConfig, readConfig }) => {
    await writeConfig('broken', 'no JSON');
    await registry.start();

    await registry.deregister('broken');

    assert.is(await readConfig('broken'), undefined);
    assert.is(registry.brokenFiles().size, 0);
  }));

test('while the database is away it fails, and the server stands as before', () =>
  withRegistry(async ({ registry, upstreams, setDatabaseAway, readConfig, secretValue }) => {
    await registry.register(stdio('demo', { env: { TOKEN: 'hush' } }));
    const before = await readConfig('demo');
    setDatabaseAway(true);

    const code = await codeOf(registry.deregister('demo'));

    assert.is(code, 'database_unavailable');
    assert.is(await readConfig('demo'), before);
    assert.ok(upstreams.serving.has('demo'));
    assert.is(await secretValue('DEMO__TOKEN'), 'hush');
  }));

test('a restart stores the tools that are listed then', () =>
  withRegistry(async ({ registry, upstreams }) => {
    await registry.register(stdio('demo'));
    upstreams.behave('demo', ['echo', 'fresh']);

    const server = await registry.restart('demo');

    assert.equal(
      server.tools.map((tool) => tool.name),
      ['echo', 'fresh'],
    );
  }));

test('a restart that lists the same tools works while the database is away', () =>
  withRegistry(async ({ registry, setDatabaseAway }) => {
    await registry.register(stdio('demo'));
    setDatabaseAway(true);

    const server = await registry.restart('demo');

    assert.equal(
      server.tools.map((tool) => tool.name),
      ['echo'],
    );
  }));

test.run();
