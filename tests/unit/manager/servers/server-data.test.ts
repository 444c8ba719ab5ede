import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseServerConfig } from '../../../../lib/config/parse-server-config.ts';
import type { ServerData } from '../../../../lib/containers/store/container-data.ts';
import { createManagerFixture, type ManagerFixture } from './manager-fixture.ts';

const test = suite('what a server keeps, in its record');

const row = { server: 'boxed', path: '/data', volume: 'svc-mcp-boxed-3a6eb079', origin: 'o' };
const kept: ServerData = {
  volumes: [
    { ...row, sessionId: undefined },
    { ...row, sessionId: 'the-id-is-a-key', volume: 'svc-mcp-boxed-3a6eb079-0a1b2c3d' },
  ],
  mounts: [{ type: 'bind', source: '/home/me', path: '/work', readOnly: true }],
  layer: { paths: ['/srv/notes.txt'], count: 1 },
};

function manager(data: () => Promise<ServerData>): ManagerFixture {
  const fixture = createManagerFixture({
    containers: {
      status: (name) => ({ name: `svc-mcp-${name}`, status: 'running', running: true, imageId: undefined }),
      logs: async () => [],
      followLogs: async () => {},
      data,
    },
  });
  fixture.catalog.store(parseServerConfig({ name: 'boxed', transport: 'stdio', image: 'a:1' }), []);
  fixture.catalog.setTools('program', []);
  return fixture;
}

test('volumes, mounts and files of its layer are in the record of one server, and no id of a session', async () => {
  const { body, text } = await manager(async () => kept).call('GET', '/api/servers/boxed');

  const { volumes, mounts, layer } = body.server.data;
  assert.equal(volumes[0], { path: '/data', volume: 'svc-mcp-boxed-3a6eb079' });
  assert.match(volumes[1].session, /^[0-9a-f]{8}$/);
  assert.equal(mounts, [{ type: 'bind', source: '/home/me', path: '/work', read_only: true }]);
  assert.equal(layer, { paths: ['/srv/notes.txt'], count: 1 });
  assert.not.match(text, 'the-id-is-a-key');
});

test('the list does not ask for it, and what is no container keeps nothing', async () => {
  const { call } = manager(() => assert.unreachable() ?? Promise.resolve(kept));

  assert.is((await call('GET', '/api/servers')).body.servers.length, 2);
  assert.is((await call('GET', '/api/servers/program')).body.server.data, undefined);
});

test('an engine that is away costs the record nothing else', async () => {
  const { body } = await manager(async () => Promise.reject(new Error('away'))).call(
    'GET',
    '/api/servers/boxed',
  );

  assert.is(body.server.status, 'running');
  assert.is(body.server.data, undefined);
});

test.run();
