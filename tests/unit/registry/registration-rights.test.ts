import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toReference } from '../../../lib/config/references.ts';
import { Failure } from '../../../lib/failure.ts';
import { freeNameLike } from '../../../lib/registry/registration/registration-rights.ts';
import { codeOf, type RegistryFixture, stdio, withRegistry } from './registry-fixture.ts';

const test = suite('who may register what');

const anybody = { isAdministrator: false, replace: true };
const remote = (name: string, host: string, more: object = {}) => ({
  ...{ name, transport: 'streamable_http', url: `https://${host}/mcp` },
  ...more,
});
const withKey = (value: string) => ({ headers: { 'X-Key': value } });
const own = withKey(toReference('CRM__X_KEY'));

/** `crm` at its address, with the value of one secret. */
async function registerCrm({ registry }: RegistryFixture): Promise<void> {
  await registry.register(remote('crm', 'a.example', withKey('its-value')));
}

test('a name that is taken is a conflict that says what would be affected', () =>
  withRegistry(async (fixture) => {
    await registerCrm(fixture);
    fixture.groups.write('support', { included_servers: ['crm'] });

    const options = { isAdministrator: false, replace: false };
    const failure = await fixture.registry.register(remote('crm', 'b.example'), options).catch((it) => it);

    assert.instance(failure, Failure);
    assert.is(failure.code, 'conflict');
    assert.equal(failure.details, {
      server: 'crm',
      tools: ['crm__echo'],
      affected_groups: { support: ['crm__echo'] },
      origin_changes: true,
      needs_admin: true,
      suggested_name: 'crm-2',
    });
    assert.is(fixture.upstreams.serving.get('crm')?.url, 'https://a.example/mcp');
  }));

test('the name that is suggested instead is free, and no longer than names may be', () => {
  const taken = new Set(['crm', 'crm-2', 'a.very.long.name.of.a.server-1', 'a.very.long.name.of.a.server']);
  const isTaken = (name: string) => taken.has(name);

  assert.is(freeNameLike('crm', isTaken), 'crm-3');
  assert.is(freeNameLike('a.very.long.name.of.a.server-1', isTaken), 'a.very.long.name.of.a.server-2');
  assert.is(freeNameLike('abcdefghijklmnopqrstuvwxyz1-34', isTaken), 'abcdefghijklmnopqrstuvwxyz1-2');
});

test('the identical config is unchanged for every caller, and one with a literal value is not identical', () =>
  withRegistry(async (fixture) => {
    await registerCrm(fixture);
    await fixture.secrets.write(new Map([['OPERATOR', 'o']]));
    await fixture.registry.register(stdio('local', { env: { A: toReference('OPERATOR') } }));
    const register = (document: object) =>
      fixture.registry.register(document, { isAdministrator: false, replace: false });

    const same = await register(remote('crm', 'a.example', own));
    const sameLocal = await register(stdio('local', { env: { A: toReference('OPERATOR') } }));
    const literal = await codeOf(register(remote('crm', 'a.example', withKey('its-value'))));

    assert.equal([same.outcome, sameLocal.outcome, literal], ['unchanged', 'unchanged', 'conflict']);
  }));

test('another origin under a name that groups have ticked needs administration rights', () =>
  withRegistry(async (fixture) => {
    await registerCrm(fixture);
    const { registry, groups, upstreams } = fixture;
    const elsewhere = remote('crm', 'b.example');

    groups.write('support', ['crm__echo']);
    assert.is(await codeOf(registry.register(elsewhere, anybody)), 'replace_needs_admin');
    assert.is(
      await codeOf(registry.register({ ...elsewhere, description: 'x' }, anybody)),
      'replace_needs_admin',
    );
    await registry.register(remote('crm', 'a.example', { description: 'the same place' }), anybody);
    groups.write('support', ['other__echo']);
    await registry.register(elsewhere, anybody);

    assert.is(upstreams.serving.get('crm')?.url, 'https://b.example/mcp');
  }));

test('a program, and a file that cannot be read, are replaced by administrators only', () =>
  withRegistry(async ({ registry, writeConfig, readConfig }) => {
    await registry.register(stdio('local'));
    await writeConfig('broken', 'no JSON');
    await registry.reconcile();

    assert.is(await codeOf(registry.register(remote('local', 'b.example'), anybody)), 'command_needs_admin');
    assert.is(await codeOf(registry.register(remote('broken', 'b.example'), anybody)), 'replace_needs_admin');
    assert.is(await readConfig('broken'), 'no JSON');
    await registry.register(remote('broken', 'b.example'));
  }));

test('its own secrets, at its own origin, may be referred to by anybody', () =>
  withRegistry(async (fixture) => {
    await registerCrm(fixture);
    const more = { ...own, bearer_token: toReference('CRM__X_KEY'), description: 'x' };

    const registration = await fixture.registry.register(remote('crm', 'a.example', more), anybody);

    assert.is(registration.outcome, 'replaced');
    assert.is(fixture.upstreams.startedWith.at(-1)?.bearerToken, 'its-value');
  }));

test('what else steers a request at its origin, such as whose path it is, needs its values anew', () =>
  withRegistry(async (fixture) => {
    await registerCrm(fixture);
    const { registry } = fixture;

    for (const steered of [
      { ...own, url: 'https://a.example/@evil/mcp' },
      { ...own, url: 'https://a.example/mcp?tenant=evil' },
      { ...own, url: `https://a.example/mcp?key=${toReference('CRM__X_KEY')}` },
      { headers: { ...own.headers, 'X-Tenant': 'evil' } },
      { headers: { Authorization: toReference('CRM__X_KEY') } },
    ]) {
      const config = { ...remote('crm', 'a.example'), ...steered };
      assert.is(await codeOf(registry.register(config, anybody)), 'secret_needs_admin');
    }
    await registry.register(
      remote('crm', 'a.example', { ...withKey('new-value'), url: 'https://a.example/b' }),
      anybody,
    );
  }));

test('a secret of the operator, of another server or of none, and another origin are refused', () =>
  withRegistry(async (fixture) => {
    await registerCrm(fixture);
    const { registry, secrets, upstreams } = fixture;
    await secrets.write(
      new Map([
        ['FUTURE_KEY', 'f'],
        ['CRM__LATER', 'l'],
      ]),
    );
    await registry.register(remote('CRM', 'a.example', withKey('another-value')));
    const steps = upstreams.steps.length;

    for (const [name, host, secret] of [
      ['crm', 'b.example', 'CRM__X_KEY'],
      ['new', 'a.example', 'CRM__X_KEY'],
      ['CRM', 'a.example', 'CRM__X_KEY'],
      ['crm', 'a.example', 'CRM__X_KEY_2'],
      ['crm', 'a.example', 'FUTURE_KEY'],
      ['crm', 'a.example', 'CRM__LATER'],
      ['crm', 'a.example', 'NOT_THERE'],
    ] as const) {
      const config = remote(name, host, withKey(`x${toReference(secret)}`));
      const what = `${secret} for ${name} at ${host}`;
      assert.is(await codeOf(registry.register(config, anybody)), 'secret_needs_admin', what);
      const preview = { ...anybody, dryRun: true };
      assert.is(await codeOf(registry.register(config, preview)), 'secret_needs_admin', what);
    }
    assert.is(upstreams.steps.length, steps, 'nothing was started');
  }));

test('at another origin values are given anew, and the former ones are gone', () =>
  withRegistry(async (fixture) => {
    await registerCrm(fixture);

    await fixture.registry.register(remote('crm', 'b.example', withKey('new-value')), anybody);

    assert.is(fixture.upstreams.startedWith.at(-1)?.headers['X-Key'], 'new-value');
    const names = [...(await fixture.secrets.names())];
    assert.is(names.length, 1);
    assert.is(await fixture.secretValue(names[0] ?? ''), 'new-value');
    const back = remote('crm', 'a.example', withKey(toReference(names[0] ?? '')));
    assert.is(await codeOf(fixture.registry.register(back, anybody)), 'secret_needs_admin');
  }));

test('an administrator takes the secrets along to another origin, where they are its own', () =>
  withRegistry(async (fixture) => {
    await registerCrm(fixture);

    await fixture.registry.register(remote('crm', 'b.example', own));

    assert.is(fixture.upstreams.startedWith.at(-1)?.headers['X-Key'], 'its-value');
    await fixture.registry.register(remote('crm', 'b.example', { ...own, description: 'x' }), anybody);
    const back = remote('crm', 'a.example', own);
    assert.is(await codeOf(fixture.registry.register(back, anybody)), 'secret_needs_admin');
  }));

test('a registration that fails leaves values and owners as they were', () =>
  withRegistry(async (fixture) => {
    await registerCrm(fixture);
    const before = new Map(fixture.owners.rows);
    fixture.upstreams.behave('crm', 'dies');

    for (const document of [
      remote('crm', 'b.example', withKey('new-value')),
      remote('crm', 'b.example', own),
    ]) {
      await codeOf(fixture.registry.register(document));
    }

    assert.equal([...fixture.owners.rows], [...before]);
    assert.is(await fixture.secretValue('CRM__X_KEY'), 'its-value');
  }));

test('a server that comes after one of its name has no right to what that one left', () =>
  withRegistry(async (fixture) => {
    const { registry, secrets } = fixture;
    await registerCrm(fixture);
    await registry.register(stdio('other', { env: { A: toReference('CRM__X_KEY') } }));

    await registry.deregister('crm');
    await registry.register(remote('crm', 'a.example'), anybody);

    assert.ok((await secrets.names()).has('CRM__X_KEY'), 'another server refers to it');
    assert.is(
      await codeOf(registry.register(remote('crm', 'a.example', own), anybody)),
      'secret_needs_admin',
    );
    await registry.deregister('crm');
    assert.ok((await secrets.names()).has('CRM__X_KEY'));
  }));

test('a server that goes takes no secret along that it does not own', () =>
  withRegistry(async ({ registry, secrets }) => {
    await secrets.write(
      new Map([
        ['FUTURE_KEY', 'f'],
        ['DEMO__BY_HAND', 'h'],
      ]),
    );
    const env = { A: toReference('FUTURE_KEY'), B: toReference('DEMO__BY_HAND'), C: 'literal' };

    await registry.register(stdio('demo', { env }));
    await registry.register(stdio('demo', { env: { D: 'literal' } }));
    await registry.deregister('demo');

    assert.equal([...(await secrets.names())].sort(), ['DEMO__BY_HAND', 'FUTURE_KEY']);
  }));

test('another server under the name of a removed one that groups have ticked needs administration rights', () =>
  withRegistry(async (fixture) => {
    const { registry, groups } = fixture;
    const codeAt = (host: string) => codeOf(registry.register(remote('crm', host), anybody));
    await registerCrm(fixture);
    groups.write('support', { included_tools: [], included_prompts: ['crm__letter'] });
    await registry.deregister('crm');

    const elsewhere = await codeAt('b.example');
    const program = await codeOf(registry.register(stdio('crm'), anybody));
    const failure = await registry.register(remote('crm', 'b.example'), anybody).catch((it) => it);
    const back = await codeAt('a.example');

    assert.equal([elsewhere, program, back], ['replace_needs_admin', 'replace_needs_admin', 'it succeeded']);
    assert.equal(failure.details, { groups: ['support'] });
    await registry.deregister('crm');
    groups.forget('support');
    assert.is(await codeAt('b.example'), 'it succeeded');
  }));

test('a server whose file was removed by hand leaves its name to the same server, and a broken one to none', () =>
  withRegistry(async (fixture) => {
    const { registry, groups, directory, writeConfig } = fixture;
    groups.write('support', { included_servers: ['crm', 'broken'] });
    await registerCrm(fixture);
    await writeConfig('broken', 'no JSON');
    await registry.start();

    await rm(join(directory, 'crm.json'));
    await registry.reconcile();
    await registry.deregister('broken');
    const codes = await Promise.all(
      [remote('crm', 'b.example'), remote('broken', 'b.example')].map((config) =>
        codeOf(registry.register(config, anybody)),
      ),
    );

    assert.equal(codes, ['replace_needs_admin', 'replace_needs_admin']);
  }));

test('a name that never had a server is free, also where a group has it already', () =>
  withRegistry(async ({ registry, groups }) => {
    groups.write('support', { included_servers: ['crm'] });

    assert.is(await codeOf(registry.register(remote('crm', 'b.example'), anybody)), 'it succeeded');
  }));

test.run();
