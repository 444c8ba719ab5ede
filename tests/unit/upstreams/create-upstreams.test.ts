import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failureOf } from '../../support/upstream-fixture.ts';
import { createLingeringServers, lingeringConfig } from './lingering-servers.ts';

const test = suite('servers that are being registered');

test('an attempt that is over only later takes nothing from the one that is registered', async () => {
  const server = createLingeringServers();
  server.behaviour = 'bad';
  await failureOf(server.upstreams.prepare(lingeringConfig));
  server.behaviour = 'good';
  const candidate = await server.upstreams.prepare(lingeringConfig);

  server.opened[0]?.end();
  await new Promise((resolve) => setImmediate(resolve));
  await candidate.commit();
  server.opened[1]?.events.onStderr('it says this\n');

  assert.equal(server.upstreams.logs('slow', 5), ['it says this']);
  await server.close();
});

test('what is let go is opened again from the image that is noted by then', async () => {
  const server = createLingeringServers();
  const candidate = await server.upstreams.prepare({ ...lingeringConfig, imageId: 'sha256:2' });
  await candidate.commit();

  const gone = server.upstreams.letGo('slow');
  server.opened[0]?.end();
  await gone;
  await server.upstreams.connect('slow');

  assert.equal(
    server.opened.map(({ config }) => config.imageId),
    ['sha256:2', undefined],
  );
  await server.close();
});

test.run();
