import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toReference } from '../../../lib/config/references.ts';
import { Failure } from '../../../lib/failure.ts';
import { createSwappedFolder } from '../../support/swapped-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { stdio, withRegistry } from './registry-fixture.ts';

const test = suite('servers whose files are kept elsewhere');

const textOf = (document: object) => JSON.stringify(document);

async function refusalOf(work: Promise<unknown>) {
  const error = await work.catch((reason: unknown) => reason);
  if (!(error instanceof Failure)) throw new Error('It did not fail on purpose.', { cause: error });
  return { code: error.code, message: error.message, details: error.details };
}

test('a replacement is refused with the text to put there, before anything is started', () =>
  withRegistry(async ({ registry, upstreams, directory, owners, readConfig, secretValue }) => {
    createSwappedFolder(directory, { 'demo.json': textOf(stdio('demo')) });
    await registry.start();
    await waitUntil('it serves', () => upstreams.serving.has('demo'));
    const before = upstreams.startedWith.length;
    const changed = stdio('demo', { env: { KEY: 'hidden value' } });
    const refusals = [
      await refusalOf(registry.register(changed)),
      await refusalOf(registry.register(changed, { dryRun: true })),
    ];

    for (const { code, message, details } of refusals) {
      assert.is(code, 'config_read_only');
      assert.match(message, 'put `demo.json` there');
      assert.match(message, 'a value for `DEMO__KEY`');
      assert.equal(
        JSON.parse(String(details?.text)),
        stdio('demo', { env: { KEY: toReference('DEMO__KEY') } }),
      );
      assert.equal([details?.file, details?.secrets], ['demo.json', ['DEMO__KEY']]);
    }
    assert.not.match(JSON.stringify(refusals), 'hidden');
    assert.is(upstreams.startedWith.length, before);
    assert.is(await secretValue('DEMO__KEY'), undefined);
    assert.is((await owners.read()).size, 0);
    assert.is(await readConfig('demo'), textOf(stdio('demo')));
  }));

test('registering what the file has already is no change', () =>
  withRegistry(async ({ registry, upstreams, directory }) => {
    createSwappedFolder(directory, { 'demo.json': textOf(stdio('demo')) });
    await registry.start();
    await waitUntil('it serves', () => upstreams.serving.has('demo'));

    assert.is((await registry.register(stdio('demo'))).outcome, 'unchanged');
  }));

test('a server that is to be deleted stays up, with a sentence that says what to delete', () =>
  withRegistry(async ({ registry, upstreams, catalog, directory }) => {
    createSwappedFolder(directory, { 'demo.json': textOf(stdio('demo')) });
    await registry.start();
    await waitUntil('it serves', () => upstreams.serving.has('demo'));
    const steps = upstreams.steps.length;

    assert.equal(await refusalOf(registry.deregister('demo')), {
      code: 'config_read_only',
      message: 'The config file of server `demo` is managed elsewhere: delete `demo.json` there.',
      details: { file: 'demo.json' },
    });
    assert.ok(catalog.server('demo'));
    assert.is(upstreams.steps.length, steps);
  }));

test('a version without a server’s file deregisters it, and one with the file brings it back', () =>
  withRegistry(async ({ registry, upstreams, directory, logged }) => {
    const other = { 'other.json': textOf(stdio('other')) };
    const both = { ...other, 'demo.json': textOf(stdio('demo')) };
    const swapped = createSwappedFolder(directory, both);
    await registry.start();
    for (let at = 0; at < 3; at++) {
      await waitUntil('both serve', () => upstreams.serving.has('demo') && upstreams.serving.has('other'));
      swapped.swap(other);
      await waitUntil('one is gone', () => !upstreams.serving.has('demo'));
      assert.ok(upstreams.serving.has('other'));
      swapped.swap(both);
    }

    assert.equal(
      logged.filter(({ level }) => level === 'warn' || level === 'error').map(({ message }) => message),
      [],
    );
  }));

test('a secrets file that is kept elsewhere refuses a value, and the registration leaves nothing', () =>
  withRegistry(async ({ registry, upstreams, owners, catalog, directory, readConfig }) => {
    // The fixture's secrets file lies in the folder above the configs.
    createSwappedFolder(join(directory, '..'), { 'secrets.env': 'KEY=there\n' });
    const refusal = await refusalOf(registry.register(stdio('demo', { env: { KEY: 'hidden value' } })));

    assert.equal(refusal, {
      code: 'secret_read_only',
      message: 'The secrets file is managed elsewhere: put `DEMO__KEY` there, with the value that you gave.',
      details: { secrets: ['DEMO__KEY'] },
    });
    assert.is(catalog.server('demo'), undefined);
    assert.is(await readConfig('demo'), undefined);
    assert.is((await owners.read()).size, 0);
    assert.equal(upstreams.steps, []);

    await registry.register(stdio('demo', { env: { KEY: toReference('KEY') } }));
    await registry.deregister('demo');
    assert.is(catalog.server('demo'), undefined);
  }));

test('secrets of a deleted server that are kept elsewhere by now become the operator’s', () =>
  withRegistry(async ({ registry, owners, directory, logged }) => {
    await registry.register(stdio('demo', { env: { KEY: 'hidden value' } }));
    const root = join(directory, '..');
    await rm(join(root, 'secrets.env'));
    createSwappedFolder(root, { 'secrets.env': 'DEMO__KEY=x\n' });

    const { warnings } = await registry.deregister('demo');

    assert.equal(warnings, []);
    assert.is((await owners.read()).size, 0);
    assert.match(JSON.stringify(logged.at(-1)), 'DEMO__KEY');
  }));

test.run();
