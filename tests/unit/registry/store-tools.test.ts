import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseServerConfig } from '../../../lib/config/parse-server-config.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { stdio, withRegistry } from './registry-fixture.ts';

const test = suite('tool lists that connections bring');

const listed = (...names: string[]) =>
  names.map((name) => ({ name, definition: `{"name":"${name}","inputSchema":{"type":"object"}}` }));

test('a changed list is stored', () =>
  withRegistry(async ({ registry, catalog, toolNames }) => {
    await registry.register(stdio('demo'));

    registry.storeTools(parseServerConfig(stdio('demo')), listed('echo', 'more'));

    await waitUntil('it is stored', () => toolNames('demo')?.length === 2);
    assert.ok(catalog.tool('demo__more'));
  }));

test('the list that is stored already is not written again', () =>
  withRegistry(async ({ registry, bus }) => {
    await registry.register(stdio('demo'));
    let published = 0;
    bus.subscribe(() => {
      published++;
    });

    registry.storeTools(parseServerConfig(stdio('demo')), listed('echo'));
    await registry.reconcile();

    assert.is(published, 0);
  }));

test('a connection of a config that was replaced has nothing to say', () =>
  withRegistry(async ({ registry, toolNames }) => {
    await registry.register(stdio('demo', { args: ['--old'] }));
    await registry.register(stdio('demo', { args: ['--new'] }));

    registry.storeTools(parseServerConfig(stdio('demo', { args: ['--old'] })), listed('ghost'));
    // A look waits its turn for each server, so what was to be stored is stored by then.
    await registry.reconcile();

    assert.equal(toolNames('demo'), ['echo']);
  }));

test('lists that arrive while the database is away are stored when it is back, the newest wins', () =>
  withRegistry(async ({ registry, setDatabaseAway, toolNames }) => {
    await registry.register(stdio('demo'));
    setDatabaseAway(true);

    registry.storeTools(parseServerConfig(stdio('demo')), listed('first'));
    registry.storeTools(parseServerConfig(stdio('demo')), listed('second'));
    setDatabaseAway(false);

    await waitUntil('the newest is stored', () => toolNames('demo')?.join() === 'second', { limitMs: 3_000 });
  }));

test.run();
