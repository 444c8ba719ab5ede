import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { containerName, isSpareName, spareName } from '../../../lib/containers/container-names.ts';
import { parseDockerHost } from '../../../lib/containers/docker/docker-host.ts';
import { createConfigHash } from '../../../lib/containers/store/fits-config.ts';
import { isServerName } from '../../../lib/names/names.ts';
import { serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('the identity of containers');

const config = serverConfig({ name: 'files', image: 'tool:1', env: { B: '2', A: '1' } });
const hashOf = createConfigHash('key');

test('a changed secret, image, command, limit or port makes another hash', async () => {
  const hashes = await Promise.all(
    [
      config,
      { ...config, env: { ...config.env, A: 'another' } },
      { ...config, image: 'tool:2' },
      { ...config, args: ['--verbose'] },
      { ...config, limits: { ...config.limits, memoryMb: 64 } },
      { ...config, port: 3001 },
      { ...config, readOnly: true },
    ].map(hashOf),
  );

  assert.is(new Set(hashes).size, hashes.length);
});

test('time-outs, descriptions and the order of variables make no other container', async () => {
  const same = {
    ...config,
    description: 'new words',
    env: { A: '1', B: '2' },
    timeouts: { ...config.timeouts, callMs: 1 },
    limits: { ...config.limits, calls: 1 },
  };

  assert.is(await hashOf(same), await hashOf(config));
});

test('without the key nobody can tell whether a guessed value is right', async () => {
  assert.match(await hashOf(config), /^[0-9a-f]{64}$/);
  assert.is.not(await createConfigHash('another key')(config), await hashOf(config));
});

test('a server’s container has its name, that of a session a mark of the session', async () => {
  assert.is(await containerName('files', undefined), 'svc-mcp-files');
  assert.match(await containerName('files', 'one'), /^svc-mcp-files-[0-9a-f]{8}$/);
  assert.is.not(await containerName('files', 'one'), await containerName('files', 'two'));
  assert.not.match(await containerName('files', 'one'), 'one');
});

test('a second container’s name is one that no server can have', () => {
  const spare = spareName('svc-mcp-files');

  assert.ok(isSpareName(spare));
  assert.not(isServerName(spare.slice('svc-mcp-'.length)));
  assert.not(isSpareName('svc-mcp-files-next-1'));
});

test('the engine is found by socket path, unix or tcp address', () => {
  assert.equal(parseDockerHost('/run/docker.sock'), { socketPath: '/run/docker.sock' });
  assert.equal(parseDockerHost('unix:///run/docker.sock'), { socketPath: '/run/docker.sock' });
  assert.equal(parseDockerHost('tcp://engine.internal:2375'), {
    host: 'engine.internal',
    port: 2375,
    protocol: 'http',
  });
});

test('an engine address that could not be used is none', () => {
  for (const text of ['', 'docker.sock', 'ssh://engine', 'unix://', 'https://engine:2376']) {
    assert.is(parseDockerHost(text), undefined, text);
  }
});

test.run();
