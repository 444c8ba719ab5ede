/** The end of a container server: in which order it goes, what brings it back, and what a kill in between leaves. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../../../lib/failure.ts';
import { codeOf } from '../registry-fixture.ts';
import { leftOf, type ProvisionFixture, withProvisioning } from './provision-fixture.ts';

const test = suite('deleting a container server');

const pin = { reference: 'mcp/demo:1', imageId: 'sha256:1', previous: undefined };
const volume = {
  ...{ server: 'demo', sessionId: undefined, path: '/data', volume: 'svc-mcp-demo-3a6eb079', origin: 'o' },
};

/** A server with data, that owns a secret. */
async function withData({ provision, engine }: ProvisionFixture): Promise<void> {
  await provision({ env_vars: { KEY: 'secret-1' } });
  await engine.pins.set('demo', pin);
  engine.volumes.set('demo', volume);
}

/** Works until the step, and then does nothing more, as a killed service. */
function killAt(step: 'file' | 'row', { catalog, directory }: ProvisionFixture): Promise<void> {
  return new Promise((resolve) => {
    const never = () => {
      resolve();
      return new Promise<never>(() => {});
    };
    const { withdraw } = catalog;
    Object.assign(catalog, {
      withdraw: async (name: string) => {
        const back = await withdraw(name);
        return step === 'file' ? await never() : back;
      },
      remove: () => {
        assert.not(existsSync(join(directory, 'demo.json')));
        return never();
      },
    });
  });
}

test('its container stops, its tools leave the lists, its file goes, then its row, then what it kept', () =>
  withProvisioning(async (fixture) => {
    const { registry, engine, catalog, bus, directory } = fixture;
    const { pins } = engine;
    await withData(fixture);
    const seen: unknown[] = [];
    bus.subscribe(({ type }) => {
      if (type !== 'tools') return;
      const server = catalog.server('demo');
      const hasFile = existsSync(join(directory, 'demo.json'));
      seen.push([[...engine.acts], server?.tools.length, hasFile]);
    });

    const answer = await registry.deregister('demo');

    assert.equal(seen, [
      [['stop demo'], 0, true],
      [['stop demo'], undefined, false],
    ]);
    assert.equal(engine.acts, ['stop demo', 'remove demo']);
    assert.equal(answer, {
      removed: { containers: ['svc-mcp-demo'], volumes: ['svc-mcp-demo-3a6eb079'], secrets: 1 },
      kept: [],
      warnings: [],
    });
    assert.equal(await leftOf(fixture), []);
    assert.is(await pins.of('demo'), undefined);
    assert.equal(await catalog.withdrawn(), []);
  }));

test('mounts that the server used and did not own are listed, and stay', () =>
  withProvisioning(async ({ registry }) => {
    const volumes = [
      { path: '/data' },
      { path: '/work', source: '/home/me', read_only: true },
      { path: '/db', source: 'mydata' },
    ];
    await registry.register({ name: 'demo', transport: 'stdio', image: 'mcp/demo:1', volumes });

    const { kept } = await registry.deregister('demo');

    assert.equal(kept, [
      { type: 'bind', source: '/home/me', path: '/work', readOnly: true },
      { type: 'volume', source: 'mydata', path: '/db', readOnly: false },
    ]);
  }));

for (const failing of ['its file', 'its pin', 'its row'] as const) {
  test(`when ${failing} cannot be removed, everything is as before`, () =>
    withProvisioning(async (fixture) => {
      const { registry, engine, catalog, upstreams, readConfig } = fixture;
      const { pins } = engine;
      await withData(fixture);
      const before = await readConfig('demo');
      const refuse = async () => {
        throw new Failure('storage_failed', 'No.');
      };
      if (failing === 'its row') Object.assign(catalog, { remove: refuse });
      else if (failing === 'its pin') Object.assign(pins, { remove: refuse });
      else fixture.failNextRemoval();

      assert.is(await codeOf(registry.deregister('demo')), 'storage_failed');

      assert.is(await readConfig('demo'), before);
      assert.equal(fixture.toolNames('demo'), ['echo']);
      assert.equal(await pins.of('demo'), pin);
      assert.ok(upstreams.serving.has('demo'));
      assert.equal(engine.acts, ['stop demo']);
      assert.ok(engine.volumes.has('demo'));
      assert.is(await fixture.secretValue('DEMO__KEY'), 'secret-1');
      assert.equal(await catalog.withdrawn(), []);
    }));
}

test('a kill before its file is gone leaves it as it was', () =>
  withProvisioning(async (fixture) => {
    await withData(fixture);
    const killed = killAt('file', fixture);
    fixture.registry.deregister('demo').catch(() => {});
    await killed;

    const next = fixture.restartService();
    await next.registry.start();

    assert.equal(next.toolNames('demo'), ['echo']);
    assert.equal(await fixture.engine.pins.of('demo'), pin);
    assert.ok(fixture.engine.containers.has('demo'));
    assert.equal(await fixture.catalog.withdrawn(), []);
  }));

test('a kill after its file is gone is finished by the next start', () =>
  withProvisioning(async (fixture) => {
    await withData(fixture);
    const { remove } = fixture.catalog;
    const killed = killAt('row', fixture);
    fixture.registry.deregister('demo').catch(() => {});
    await killed;
    Object.assign(fixture.catalog, { remove });

    const next = fixture.restartService();
    await next.registry.start();

    assert.is(await fixture.engine.pins.of('demo'), undefined);
    assert.equal(fixture.engine.acts.at(-1), 'remove demo');
    assert.equal(await leftOf({ ...fixture, ...next }), []);
    assert.equal(await fixture.catalog.withdrawn(), []);
  }));

test('a kill while its secrets are removed is finished by the next start', () =>
  withProvisioning(async (fixture) => {
    await withData(fixture);
    const { remove } = fixture.secrets;
    Object.assign(fixture.secrets, { remove: async () => Promise.reject(new Error('away')) });
    const { removed, warnings } = await fixture.registry.deregister('demo');
    assert.is(removed.secrets, 0);
    assert.match(warnings.join(), /secrets/);
    Object.assign(fixture.secrets, { remove });

    await fixture.restartService().registry.start();

    assert.is((await fixture.secrets.names()).size, 0);
    assert.equal(await fixture.catalog.withdrawn(), []);
  }));

test('a server whose file was removed by hand, and whose data is kept, can be deleted', () =>
  withProvisioning(async ({ registry, engine, catalog }) => {
    const { pins } = engine;
    engine.containers.add('demo');
    engine.volumes.set('demo', volume);
    await pins.set('demo', pin);

    const { removed } = await registry.deregister('demo');

    assert.equal(removed, { containers: ['svc-mcp-demo'], volumes: [volume.volume], secrets: 0 });
    assert.is(await pins.of('demo'), undefined);
    assert.equal(await catalog.withdrawn(), []);
    assert.is(await codeOf(registry.deregister('demo')), 'server_not_found');
  }));

test('deleting while the engine is away says what goes later', () =>
  withProvisioning(async (fixture) => {
    await withData(fixture);
    fixture.engine.containers.delete = () => {
      throw new Failure('provision_failed', 'The container engine does not answer.', { status: 503 });
    };

    const { removed, warnings } = await fixture.registry.deregister('demo');

    assert.equal(removed, { containers: [], volumes: [], secrets: 1 });
    assert.match(warnings.join(), /removed later\. The container engine does not answer\./);
    assert.is(await fixture.engine.pins.of('demo'), undefined);
  }));

test('a provision that fails removes what it made, and nothing that was kept before', () =>
  withProvisioning(async (fixture) => {
    const { engine, upstreams } = fixture;
    const { pins } = engine;
    engine.containers.add('demo');
    engine.volumes.set('demo', volume);
    await pins.set('demo', pin);
    upstreams.behave('demo', 'dies');

    assert.is(await codeOf(fixture.provision()), 'provision_failed');
    assert.ok(engine.volumes.has('demo'));
    assert.ok(engine.containers.has('demo'));
    assert.equal(await pins.of('demo'), pin);

    await fixture.registry.deregister('demo');
    engine.acts.length = 0;
    assert.is(await codeOf(fixture.provision()), 'provision_failed');
    assert.equal(engine.acts, ['remove demo']);
  }));

test.run();
