import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerSpec } from '../../../lib/containers/containers.ts';
import { createBody } from '../../../lib/containers/docker/create-body.ts';

const test = suite('what the engine is asked to create');

const spec: ContainerSpec = {
  name: 'svc-mcp-files',
  server: 'files',
  configHash: 'abc',
  image: 'tool:1',
  reference: 'tool:1',
  command: [],
  env: { TOKEN: 'value' },
  limits: { memoryMb: 64, cpus: 0.5, pids: 32 },
  network: 'bridge',
  readOnly: false,
  user: undefined,
  port: undefined,
  entrypoint: undefined,
  shmMb: undefined,
  capabilities: [],
  mounts: [],
};
const options = { deploymentId: 'd1', network: 'svc-mcp-d1', isPublished: true };

test('no privilege, no capability, no host directory, no swap, bounded logs', () => {
  const { HostConfig: host } = createBody(spec, options);

  assert.is(host.Privileged, false);
  assert.equal(host.CapDrop, ['ALL']);
  assert.equal(host.SecurityOpt, ['no-new-privileges']);
  assert.is(host.Init, true);
  assert.is(host.Memory, 64 * 1024 * 1024);
  assert.is(host.MemorySwap, host.Memory);
  assert.is(host.NanoCpus, 500_000_000);
  assert.is(host.PidsLimit, 32);
  assert.equal(host.LogConfig, { Type: 'local', Config: { 'max-size': '5m', 'max-file': '2' } });
  assert.equal(host.RestartPolicy, { Name: 'no' });
  assert.is(host.Mounts, undefined);
  assert.is(host.CapAdd, undefined);
  assert.not('Binds' in host || 'AutoRemove' in host);
});

test('the image’s own command and user, unless others are given', () => {
  assert.is(createBody(spec, options).Cmd, undefined);
  assert.equal(createBody({ ...spec, command: ['a', 'b'] }, options).Cmd, ['a', 'b']);
  assert.is(createBody({ ...spec, user: '1000' }, options).User, '1000');
  assert.is(createBody(spec, options).Entrypoint, undefined);
  assert.equal(createBody({ ...spec, entrypoint: ['a'] }, options).Entrypoint, ['a']);
});

test('stdin stays open and is no terminal', () => {
  const body = createBody(spec, options);

  assert.equal([body.OpenStdin, body.StdinOnce, body.Tty], [true, false, false]);
});

test('a port is published on the loopback address, by a service outside the engine’s networks alone', () => {
  const withPort = { ...spec, port: 3001 };

  assert.equal(createBody(withPort, options).HostConfig.PortBindings, {
    '3001/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }],
  });
  assert.is(createBody(withPort, { ...options, isPublished: false }).HostConfig.PortBindings, undefined);
  assert.is(createBody(spec, options).HostConfig.PortBindings, undefined);
});

test('a server without a network gets none', () => {
  assert.is(createBody({ ...spec, network: 'none' }, options).HostConfig.NetworkMode, 'none');
  assert.is(createBody(spec, options).HostConfig.NetworkMode, 'svc-mcp-d1');
});

test('a read-only server can still write to /tmp', () => {
  const { HostConfig: host } = createBody({ ...spec, readOnly: true }, options);

  assert.is(host.ReadonlyRootfs, true);
  assert.equal(Object.keys(host.Tmpfs ?? {}), ['/tmp']);
});

test('where something is mounted at /tmp, that is what it writes to', () => {
  const mounts = [{ type: 'volume', source: 'v', path: '/tmp', readOnly: false }] as const;
  const { HostConfig: host } = createBody({ ...spec, readOnly: true, mounts }, options);

  assert.is(host.Tmpfs, undefined);
  assert.is(host.Mounts?.[0]?.Target, '/tmp');
});

test('labels tell whose it is, and hold no value of a variable', () => {
  const labels = createBody({ ...spec, sessionId: 's1', port: 3001 }, options).Labels;

  assert.equal(labels, {
    'svc-mcp.deployment': 'd1',
    'svc-mcp.server': 'files',
    'svc-mcp.config': 'abc',
    'svc-mcp.image': 'tool:1',
    'svc-mcp.session': 's1',
    'svc-mcp.port': '3001',
  });
});

test.run();
