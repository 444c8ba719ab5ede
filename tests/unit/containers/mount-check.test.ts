import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMountCheck } from '../../../lib/containers/mounts/node-mount-check.ts';
import { Failure } from '../../../lib/failure.ts';

const test = suite('check of mounts');

const noMounts = async () => [];

/** The field that is refused; undefined: none is. */
async function refusedField(
  check: ReturnType<typeof createMountCheck>,
  ...sources: readonly (string | undefined)[]
): Promise<unknown> {
  try {
    await check.assertAllowed(
      sources.map((source, index) => ({ path: `/mnt/${index}`, source, readOnly: true })),
    );
    return undefined;
  } catch (error) {
    assert.instance(error, Failure);
    assert.is((error as Failure).code, 'mount_not_allowed');
    assert.match((error as Failure).message, String((error as Failure).details?.field));
    return (error as Failure).details?.field;
  }
}

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-mcp-mounts-')));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('the field of the first source that is not allowed is named, read-only or not', async () => {
  const check = createMountCheck({ allowed: [], guarded: ['/home/me/gateway/.data'], ownMounts: noMounts });

  assert.is(await refusedField(check), undefined);
  assert.is(await refusedField(check, undefined, '/srv/a', 'mydata'), undefined);
  assert.is(await refusedField(check, undefined, '/srv/a', '/etc', '/proc'), 'volumes.2.source');
  assert.is(await refusedField(check, '/home/me'), 'volumes.0.source');
  assert.is(await refusedField(check, 'svc-mcp-other-0123abcd'), 'volumes.0.source');
});

test('a link counts as what it leads to, whatever is still missing behind it', () =>
  withFolder(async (folder) => {
    await mkdir(join(folder, 'allowed'));
    await mkdir(join(folder, 'other'));
    await symlink('/etc', join(folder, 'allowed', 'to-etc'));
    await symlink(join(folder, 'other'), join(folder, 'allowed', 'to-other'));
    await symlink(join(folder, 'allowed'), join(folder, 'to-allowed'));
    const check = createMountCheck({
      allowed: [join(folder, 'to-allowed')],
      guarded: [],
      ownMounts: noMounts,
    });
    const refused = (path: string) => refusedField(check, join(folder, path));

    assert.is(await refused('allowed/new/one'), undefined, 'an allowed link allows what it leads to');
    assert.is(await refused('to-allowed/new'), undefined);
    assert.is(await refused('allowed/to-etc'), 'volumes.0.source');
    assert.is(await refused('allowed/to-etc/new'), 'volumes.0.source');
    assert.is(await refused('allowed/to-other'), 'volumes.0.source');
  }));

test('a link to a folder of the service is one', () =>
  withFolder(async (folder) => {
    await mkdir(join(folder, 'data'));
    await symlink(join(folder, 'data'), join(folder, 'innocent'));
    const check = createMountCheck({ allowed: [], guarded: [join(folder, 'data')], ownMounts: noMounts });

    assert.is(await refusedField(check, join(folder, 'innocent')), 'volumes.0.source');
    assert.is(await refusedField(check, join(folder, 'else')), undefined);
  }));

test('in a container, the service’s own folders are what it has mounted', async () => {
  const check = createMountCheck({
    allowed: [],
    guarded: ['/app/configs'],
    ownMounts: async () => [
      { type: 'bind', source: '/home/me/stack/configs', path: '/app/configs', readOnly: false },
      { type: 'volume', source: 'stack_secrets', path: '/app/.secrets', readOnly: false },
    ],
  });

  assert.is(await refusedField(check, '/home/me/stack'), 'volumes.0.source');
  assert.is(await refusedField(check, '/home/me/stack/configs/a'), 'volumes.0.source');
  assert.is(await refusedField(check, 'stack_secrets'), 'volumes.0.source');
  assert.is(await refusedField(check, '/home/me/project', 'stack_other'), undefined);
});

test('while it is unknown what the service has mounted, nothing of the host is', async () => {
  const away = new Failure('provision_failed', 'The container engine does not answer.');
  const check = createMountCheck({ allowed: [], guarded: [], ownMounts: () => Promise.reject(away) });
  const refused = (source?: string) =>
    check.assertAllowed([{ path: '/mnt', source, readOnly: true }]).catch((error: unknown) => error);

  assert.is(await refused('/srv/a'), away);
  assert.is(await refused(), undefined);
});

test.run();
