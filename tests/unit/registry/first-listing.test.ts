import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseServerConfig } from '../../../lib/config/parse-server-config.ts';
import { fixtureFirstListingMs, stdio, withRegistry } from './registry-fixture.ts';

const test = suite('servers that were never listed');

const listed = (name: string) => [{ name, definition: `{"name":"${name}","inputSchema":{"type":"object"}}` }];

async function millisecondsOf(work: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

test('the start waits for their tools, so that a first visitor finds them', () =>
  withRegistry(async ({ registry, upstreams, writeConfig, toolNames }) => {
    upstreams.behave('demo', ['echo', 'add']);
    await writeConfig('demo', stdio('demo'));

    await registry.start();

    assert.equal(toolNames('demo'), ['echo', 'add']);
    assert.not(registry.isListingFirst());
  }));

test('one that never answers holds the start up for a moment only', () =>
  withRegistry(async ({ registry, upstreams, writeConfig, toolNames }) => {
    upstreams.behave('mute', 'hangs');
    await writeConfig('mute', stdio('mute'));
    await writeConfig('demo', stdio('demo'));

    const started = registry.start();
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(registry.isListingFirst());
    const waitedMs = await millisecondsOf(() => started);

    assert.ok(waitedMs < fixtureFirstListingMs + 200, `${waitedMs} ms`);
    assert.equal(toolNames('demo'), ['echo']);
  }));

test('one that does not start delays no other', () =>
  withRegistry(async ({ registry, upstreams, writeConfig }) => {
    upstreams.behave('dead', 'dies');
    await writeConfig('dead', stdio('dead'));

    const waitedMs = await millisecondsOf(() => registry.start());

    assert.ok(waitedMs < fixtureFirstListingMs, `${waitedMs} ms`);
  }));

test('one with stored tools is not waited for, even if its config changed', () =>
  withRegistry(async ({ registry, catalog, upstreams, writeConfig, toolNames }) => {
    await catalog.store(parseServerConfig(stdio('demo')), listed('stored'));
    upstreams.behave('demo', 'hangs');
    await writeConfig('demo', stdio('demo', { args: ['--new'] }));

    const waitedMs = await millisecondsOf(() => registry.start());

    assert.ok(waitedMs < fixtureFirstListingMs, `${waitedMs} ms`);
    assert.not(registry.isListingFirst());
    assert.equal(toolNames('demo'), ['stored']);
  }));

test('a service that ends meanwhile waits no longer', () =>
  withRegistry(async ({ registry, upstreams, writeConfig }) => {
    upstreams.behave('mute', 'hangs');
    await writeConfig('mute', stdio('mute'));

    const waitedMs = await millisecondsOf(async () => {
      const started = registry.start();
      await new Promise((resolve) => setTimeout(resolve, 50));
      await registry.close();
      await started;
    });

    assert.ok(waitedMs < fixtureFirstListingMs, `${waitedMs} ms`);
  }));

test.run();
