/** Registering servers whose containers keep something: what is asked for, what goes on, what is put back. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeOf } from '../registry-fixture.ts';
import { failureOf, withProvisioning } from './provision-fixture.ts';

const test = suite('registering servers that keep data');
const document = { name: 'demo', image: 'mcp/demo:1', transport: 'stdio' };
const layer = { paths: ['/data/a'], count: 1 };

test('the same content and a container that fits: no second one, the tools listed again', () =>
  withProvisioning(async ({ registry, upstreams, engine, toolNames }) => {
    await registry.register(document);
    engine.fit = { container: 'fits', hasVolumes: true };
    engine.made.length = 0;
    engine.pull = async () => assert.unreachable('nothing is to be pulled');
    upstreams.behave('demo', ['echo', 'later']);

    const { outcome } = await registry.register(document);

    assert.is(outcome, 'unchanged');
    assert.equal(engine.made, []);
    assert.equal(upstreams.steps.slice(-1), ['relist demo']);
    assert.equal(toolNames('demo'), ['echo', 'later']);
  }));

test('one that does not answer when it is listed again is restarted', () =>
  withProvisioning(async ({ registry, upstreams, engine }) => {
    await registry.register(document);
    engine.fit = { container: 'fits' };
    upstreams.behave('demo', 'dies');

    assert.is(await codeOf(registry.register(document)), 'upstream_unavailable');

    assert.equal(upstreams.steps.slice(-2), ['relist demo', 'restart demo']);
    assert.ok(upstreams.serving.has('demo'));
  }));

test('files of a layer are lost only on request; nothing is half done', () =>
  withProvisioning(async ({ registry, engine, readConfig, upstreams }) => {
    await registry.register(document);
    const before = await readConfig('demo');
    engine.fit = { container: 'other', atRisk: layer };
    const changed = { ...document, env: { A: 'b' } };

    const failure = await failureOf(registry.register(changed));

    assert.is(failure.code, 'data_at_risk');
    assert.is(failure.status, 409);
    assert.equal(failure.details?.paths, layer.paths);
    assert.match(failure.message, '"discard_data": true');
    assert.is(await readConfig('demo'), before);
    assert.is(await codeOf(registry.register(changed, { dryRun: true })), 'data_at_risk');
    assert.is(await codeOf(registry.restart('demo')), 'data_at_risk');
    await registry.restart('demo', { discardData: true });
    await registry.register(changed, { discardData: true, isAdministrator: false, replace: true });
    assert.equal(Object.keys(upstreams.serving.get('demo')?.env ?? {}), ['A']);
  }));

test('a server with volumes is tried out away from them, and its image is pinned once it serves', () =>
  withProvisioning(async ({ registry, engine }) => {
    await registry.register(document);
    assert.is((await engine.pins.of('demo'))?.imageId, 'sha256:1');
    engine.fit = { container: 'other', hasVolumes: true, imageId: 'sha256:2' };

    await registry.register({ ...document, image: 'mcp/demo:2' });

    const { isTryOut, imageId } = engine.made.at(-1) ?? {};
    assert.equal([isTryOut, imageId], [true, 'sha256:2']);
    assert.equal(await engine.pins.of('demo'), {
      ...{ reference: 'mcp/demo:2', imageId: 'sha256:2' },
      previous: { reference: 'mcp/demo:1', imageId: 'sha256:1' },
    });
  }));

test('a commit that fails puts file, row and config back', () =>
  withProvisioning(async ({ registry, engine, upstreams, catalog, readConfig }) => {
    await registry.register(document);
    const before = await readConfig('demo');
    upstreams.failCommit(new Error('the new one does not start on the data'));

    await registry.register({ ...document, env: { A: 'b' } }).catch(() => {});

    assert.is(await readConfig('demo'), before);
    assert.equal(catalog.server('demo')?.config.env, {});
    assert.equal(registry.configOf('demo')?.env, {});
    assert.is((await engine.pins.of('demo'))?.imageId, 'sha256:1');
  }));

test('what another image wrote is not given to a server that comes anew under the name', () =>
  withProvisioning(async ({ registry, engine }) => {
    engine.fit = { strangePaths: ['/data'] };

    assert.is(await codeOf(registry.register(document)), 'data_at_risk');

    await registry.register(document, { discardData: true });
  }));

test('so it is with a provision, which may be told to discard it', () =>
  withProvisioning(async ({ provision, engine, readConfig }) => {
    engine.fit = { strangePaths: ['/data'] };

    assert.is(await codeOf(provision()), 'data_at_risk');

    await provision({ discard_data: true });
    assert.not.match(String(await readConfig('demo')), 'discard_data');
  }));

test('what another image wrote for a server that is there: administration rights, and no discarding', () =>
  withProvisioning(async ({ registry, engine }) => {
    await registry.register(document);
    engine.fit = { strangePaths: ['/data'] };
    const changed = { ...document, image: 'mcp/other:1' };

    const failure = await failureOf(
      registry.register(changed, { discardData: true, isAdministrator: false, replace: true }),
    );

    assert.is(failure.code, 'data_at_risk');
    assert.is(failure.details?.needs_admin, true);
  }));

test('a failed registration leaves what was kept for the name', () =>
  withProvisioning(async ({ registry, engine, upstreams }) => {
    engine.containers.add('demo');
    await engine.pins.set('demo', { reference: 'mcp/demo:1', imageId: 'sha256:1', previous: undefined });
    upstreams.behave('demo', 'dies');

    await failureOf(registry.register(document));

    assert.ok(engine.containers.has('demo'));
  }));

test.run();
