import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failureOf, until } from '../../support/upstream-fixture.ts';
import { createLingeringServers as setUp } from './lingering-servers.ts';

const test = suite('a server and the one before it never meet');

test('when it is restarted while it starts', async () => {
  const server = setUp();
  server.behaviour = 'silent';
  server.install();
  const first = failureOf(server.upstreams.connect('slow'));
  await until(() => server.opened.length === 1);

  server.behaviour = 'good';
  const restarted = server.upstreams.restart('slow');
  await first;
  await pause(20);
  assert.is(server.opened.length, 1);
  server.opened[0]?.end();
  await restarted;

  assert.is(server.mostRunning, 1);
  await server.close();
});

test('when it is restarted twice at once', async () => {
  const server = setUp();
  server.install();
  await server.upstreams.connect('slow');

  const once = failureOf(server.upstreams.restart('slow'));
  const twice = server.upstreams.restart('slow');
  await once;
  await pause(20);
  assert.is(server.opened.length, 1);
  server.opened[0]?.end();
  await twice;

  assert.is(server.mostRunning, 1);
  await server.close();
});

test('when it is called right after it was stopped for being idle', async () => {
  const server = setUp();
  server.install(0.3);
  await server.call();
  await until(() => server.upstreams.status('slow')?.state === 'idle');

  const answer = server.call();
  await pause(20);
  assert.is(server.opened.length, 1);
  server.opened[0]?.end();

  assert.equal(await answer, { result: '{}' });
  assert.is(server.mostRunning, 1);
  await server.close();
});

test('when its start failed and it is tried again', async () => {
  const server = setUp();
  server.install();
  server.behaviour = 'bad';
  await failureOf(server.upstreams.connect('slow'));
  server.behaviour = 'good';

  const again = server.upstreams.connect('slow');
  await pause(20);
  assert.is(server.opened.length, 1);
  server.opened[0]?.end();
  await again;

  assert.is(server.mostRunning, 1);
  await server.close();
});

test.run();
