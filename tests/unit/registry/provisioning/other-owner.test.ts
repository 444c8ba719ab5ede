/** A manager process that does not own the containers: it applies the changes of the owner. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseServerConfig } from '../../../../lib/config/parse-server-config.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { withProvisioning } from './provision-fixture.ts';

const test = suite('a manager that does not own the containers');

const document = { name: 'demo', transport: 'stdio', image: 'mcp/demo:1' };

test('a changed file is left for the owner to try, and followed once that has stored it', () =>
  withProvisioning(async (fixture) => {
    const { engine, registry, catalog, upstreams } = fixture;
    await fixture.writeConfig('demo', document);
    await registry.start();
    engine.isOwner = false;
    const changed = { ...document, args: ['--new'] };

    await fixture.writeConfig('demo', changed);
    await registry.reconcile();
    assert.equal(upstreams.serving.get('demo')?.args, []);
    assert.equal(catalog.server('demo')?.config.args, []);
    assert.is(registry.problem('demo'), undefined);

    await catalog.store(parseServerConfig(changed), []);
    await registry.reconcile();
    await waitUntil('it follows', () => upstreams.serving.get('demo')?.args[0] === '--new');
  }));

test('removing a server leaves its container to the owner', () =>
  withProvisioning(async (fixture) => {
    await fixture.provision();
    fixture.engine.isOwner = false;

    await fixture.registry.deregister('demo');

    assert.ok(fixture.engine.containers.has('demo'));
    assert.is(fixture.catalog.server('demo'), undefined);
  }));

test('registering an image is refused', () =>
  withProvisioning(async (fixture) => {
    fixture.engine.isOwner = false;

    const error = await fixture.registry.register(document).catch((failure: unknown) => failure);

    assert.match(String(error), /Another manager/);
    assert.is(await fixture.readConfig('demo'), undefined);
  }));

test.run();
