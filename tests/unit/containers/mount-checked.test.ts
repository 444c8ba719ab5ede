import { resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { guardedPaths } from '../../../lib/container-host/node-guarded-paths.ts';
import { createMountCheck, mountChecked } from '../../../lib/containers/mounts/node-mount-check.ts';
import type { ContainerStore } from '../../../lib/containers/store/container-store.ts';
import { readSettings } from '../../../lib/settings/settings.ts';
import { failureOf, serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('mounts before a container gets them');

test('no container is made or attached to with what may not be mounted', async () => {
  const asked: string[] = [];
  const ask = (what: string) => async () => void asked.push(what);
  const containerStore = { ensure: ask('ensure'), acquire: ask('acquire') } as unknown as ContainerStore;
  const checked = mountChecked(
    containerStore,
    createMountCheck({ allowed: ['/srv'], guarded: [], ownMounts: async () => [] }),
  );
  const config = (source: string) =>
    serverConfig({ name: 'x', image: 'i', volumes: [{ path: '/w', source, readOnly: false }] });

  assert.is((await failureOf(checked.ensure(config('/opt')))).code, 'mount_not_allowed');
  assert.is((await failureOf(checked.acquire(config('/opt'), 'session'))).code, 'mount_not_allowed');
  assert.equal(asked, []);
  await checked.ensure(config('/srv/a'));
  await checked.acquire(config('/srv/a'));
  assert.equal(asked, ['ensure', 'acquire']);
});

test('what belongs to the service is its folders, its secrets, its settings and the engine’s socket', () => {
  const paths = (variables: Record<string, string>) => guardedPaths(readSettings(variables));
  const usual = ['.data', 'groups', 'configs', '.env', '.data/secrets.env'].map((path) => resolve(path));

  assert.equal(paths({}), [...usual, '/var/run/docker.sock']);
  assert.equal(paths({ DOCKER_HOST: 'unix:///home/me/docker.sock' }).at(-1), '/home/me/docker.sock');
  assert.equal(paths({ DOCKER_HOST: 'tcp://10.0.0.2:2375' }), usual);
  assert.ok(paths({ SECRETS_FILE: '/secrets/all.env', DATA_DIR: '/d' }).includes('/secrets/all.env'));
});

test.run();
