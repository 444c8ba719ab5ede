import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isMountPattern,
  isPathAllowed,
  isVolumeAllowed,
  systemPaths,
} from '../../../lib/containers/mounts/mount-rules.ts';

const test = suite('rules of mounts');

const guarded = [...systemPaths, '/home/me/gateway/.data', '/home/me/.docker/run/docker.sock'];

function allowedOf(paths: readonly string[], allowed: readonly string[]): string[] {
  return paths.filter((path) => isPathAllowed(path, { allowed, guarded }));
}

test('where nothing is set, everything but what belongs to the system, the engine and the service', () => {
  const good = [
    '/srv',
    '/srv/data',
    '/home/me/project',
    '/home/other',
    '/etcetera',
    '/var/lib/dockers',
    '/opt/a/',
  ];
  const bad = [
    ...[
      '/',
      '//',
      '/.',
      '/etc',
      '/etc/',
      '/etc/passwd',
      '/srv/../etc',
      '/proc/1',
      '/sys',
      '/dev/sda',
      '/boot',
    ],
    ...['/run', '/run/docker.sock', '/var', '/var/run/docker.sock', '/var/lib', '/var/lib/docker/volumes'],
    '/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs',
    ...[
      '/home',
      '/home/me',
      '/home/me/gateway',
      '/home/me/gateway/.data',
      '/home/me/gateway/.data/secrets.env',
    ],
    ...['/home/me/.docker', '/home/me/.docker/run/docker.sock'],
  ];

  assert.equal(allowedOf([...good, ...bad], []), good);
  assert.equal(allowedOf([...good, ...bad], ['/']), good, '`/` says the same');
});

test('a list allows what it names with all beneath it, and nothing else', () => {
  assert.equal(
    allowedOf(['/srv/data', '/srv/data/a/b', '/srv/database', '/srv', '/home/other'], ['/srv/data/']),
    ['/srv/data', '/srv/data/a/b'],
  );
  assert.equal(allowedOf(['/srv/data'], ['mydata']), [], 'names of volumes allow no path');
});

test('what is guarded is allowed by an entry of its own only', () => {
  const socket = '/var/run/docker.sock';

  assert.equal(allowedOf([socket, '/etc/app', '/etc'], ['/', socket, '/etc/app']), [socket, '/etc/app']);
  assert.equal(allowedOf(['/home/me', '/home/me/project'], ['/home/me']), ['/home/me/project']);
  assert.equal(allowedOf(['/home/me/gateway/.data'], ['/home/me/gateway/.data']), ['/home/me/gateway/.data']);
});

test('volumes by their names; never one of a server, nor one that this service has', () => {
  const own = [
    { type: 'volume', source: 'stack_secrets', path: '/app/.secrets', readOnly: false },
    { type: 'bind', source: '/home/me/configs', path: '/app/configs', readOnly: false },
  ] as const;
  const names = ['mydata', 'other', 'stack_secrets', 'svc-mcp-files-0123abcd'];
  const allowedBy = (allowed: readonly string[]) =>
    names.filter((name) => isVolumeAllowed(name, { allowed }, own));

  assert.equal(allowedBy([]), ['mydata', 'other']);
  assert.equal(allowedBy(['*']), ['mydata', 'other']);
  assert.equal(allowedBy(['/srv', 'other', 'stack_secrets', 'svc-mcp-files-0123abcd']), ['other']);
  assert.equal(allowedBy(['/']), []);
});

test('a volume that the engine named is some container’s data: only an entry of its own allows it', () => {
  const name = '0123456789abcdef'.repeat(4);
  const isAllowed = (...allowed: string[]) => isVolumeAllowed(name, { allowed }, []);

  assert.equal([isAllowed(), isAllowed('*'), isAllowed('*', name)], [false, false, true]);
});

test('an entry is an absolute path, the name of a volume, or `*`', () => {
  const bad = ['srv/data', './a', '../a', '/srv/../etc', '~/a', 'x', 'a b', '/a\0', '-x', 'a*'];

  assert.equal([...bad, '/', '/srv/data/', 'my-data_1.x', '*'].filter(isMountPattern), [
    '/',
    '/srv/data/',
    'my-data_1.x',
    '*',
  ]);
});

test.run();
