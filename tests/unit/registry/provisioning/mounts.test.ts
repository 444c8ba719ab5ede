import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../../../lib/failure.ts';
import type { ProvisionRequest } from '../../../../lib/registry/provisioning/provision-request.ts';
import { leftOf, withProvisioning } from './provision-fixture.ts';

const test = suite('mounts of servers');

const anybody = { isAdministrator: false, replace: true };
const image = (more: object = {}) => ({ name: 'demo', transport: 'stdio', image: 'mcp/demo:1', ...more });
const folder = (source: string) => ({ volumes: [{ path: '/own' }, { path: '/work', source }] });

async function refusalOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.instance(error, Failure);
  return error as Failure;
}

test('a folder of the host, a volume by its name and capabilities need administration rights; own volumes do not', () =>
  withProvisioning(async (fixture) => {
    const { registry } = fixture;
    const granted = { capabilities: ['NET_RAW'] };

    for (const [more, field] of [
      [folder('/srv/project'), 'volumes.1.source'],
      [folder('mydata'), 'volumes.1.source'],
      [granted, 'capabilities'],
    ] as const) {
      for (const work of [
        () => registry.register(image(more), anybody),
        () => registry.register(image(more), { ...anybody, dryRun: true }),
        () => fixture.provision(more as object, undefined, false),
      ]) {
        const refusal = await refusalOf(work());
        assert.is(refusal.code, 'mount_needs_admin');
        assert.equal(refusal.details, { field });
        assert.match(
          refusal.message,
          /^Field `[\w.]+` needs administration rights: .*`svc-mcp` command line/,
        );
      }
      assert.equal(await leftOf(fixture), [], 'before anything is pulled');
    }

    await registry.register(image({ volumes: [{ path: '/own' }] }), anybody);
    await registry.register(image({ ...folder('/srv/project'), ...granted }));
  }));

test('folders that may not be mounted are refused to administrators, too', () =>
  withProvisioning(async (fixture) => {
    const refusals = [
      await refusalOf(fixture.registry.register(image(folder('/etc')))),
      await refusalOf(fixture.registry.register(image(folder('/var/lib')), { dryRun: true })),
      await refusalOf(fixture.provision(folder('/') as object)),
      await refusalOf(fixture.provision(folder(fixture.directory) as object)),
    ];

    for (const { code, message, details } of refusals) {
      assert.is(code, 'mount_not_allowed');
      assert.match(message, '`volumes.1.source`');
      assert.match(message, '`ALLOWED_MOUNTS`');
      assert.equal(details, { field: 'volumes.1.source' });
    }
    assert.equal(await leftOf(fixture), []);
  }));

test('a conflict says that another mount needs administration rights', () =>
  withProvisioning(async ({ registry }) => {
    await registry.register(image());

    const options = { isAdministrator: false, replace: false };
    const refusal = await refusalOf(registry.register(image(folder('/srv/project')), options));

    assert.is(refusal.code, 'conflict');
    assert.is(refusal.details?.needs_admin, true);
  }));

test('a file may mount what is allowed; of what is not it has a problem, and the one before serves', () =>
  withProvisioning(async ({ registry, writeConfig, upstreams }) => {
    await registry.register(image());
    await registry.start();

    await writeConfig('demo', image(folder('/etc')));
    await writeConfig('fresh', image({ name: 'fresh', ...folder('/proc') }));
    await writeConfig('fine', image({ name: 'fine', ...folder('/srv/project') }));
    await registry.reconcile();

    assert.match(registry.problem('demo') ?? '', /`volumes\.1\.source`.*`ALLOWED_MOUNTS`/);
    assert.equal(upstreams.serving.get('demo')?.volumes, []);
    assert.equal([...registry.brokenFiles().keys()], ['fresh']);
    assert.is(registry.problem('fine'), undefined);
    assert.ok(upstreams.serving.has('fine'));
  }));

test('a provision takes every field of a config that is about its container', () =>
  withProvisioning(async (fixture) => {
    const fields: Partial<ProvisionRequest> = {
      session_mode: 'stateful',
      timeouts: { start_ms: 90_000 },
      limits: { memory_mb: 1024, cpus: 2 },
      network: 'none',
      read_only: true,
      user: '1000',
      entrypoint: ['node', 'server.js'],
      pull: 'never',
      volumes: [{ path: '/data' }, { path: '/work', source: '/srv/project', read_only: true }],
      shm_mb: 128,
      capabilities: ['CHOWN'],
    };

    await fixture.provision({ ...fields, command: ['--quiet'] });

    const {
      name,
      transport,
      image: reference,
      args,
      ...rest
    } = JSON.parse((await fixture.readConfig('demo')) ?? '');
    assert.equal([name, transport, reference, args], ['demo', 'stdio', 'mcp/demo:1', ['--quiet']]);
    assert.equal(rest, fields);
    assert.equal(fixture.engine.made[0]?.entrypoint, ['node', 'server.js']);
  }));

test('a provision at another entrypoint is another origin, and references in it need administration rights', () =>
  withProvisioning(async (fixture) => {
    await fixture.provision({ entrypoint: ['node', 'one.js'] });
    fixture.groups.write('support', ['demo__echo']);
    await fixture.registry.deregister('demo');

    const other = await refusalOf(fixture.provision({ entrypoint: ['node', 'two.js'] }, undefined, false));
    const referring = await refusalOf(
      fixture.provision({ name: 'new', entrypoint: ['sh', '-c', `echo \${KEY}`] }, undefined, false),
    );
    await fixture.provision({ entrypoint: ['node', 'one.js'] }, undefined, false);

    assert.is(other.code, 'replace_needs_admin');
    assert.is(referring.code, 'secret_needs_admin');
  }));

test.run();
