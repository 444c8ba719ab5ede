import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toReference } from '../../../lib/config/references.ts';
import { codeOf, stdio, withRegistry } from './registry-fixture.ts';

const test = suite('secrets of before there was a record of owners');

const referring = (name: string, ...secrets: readonly string[]) =>
  stdio(name, { env: Object.fromEntries(secrets.map((secret, at) => [`V${at}`, toReference(secret)])) });

test('belong to the server that refers to them by the name we made for it, from the first start on', () =>
  withRegistry(async ({ registry, owners, secrets, writeConfig, restartService }) => {
    const names = ['DEMO__A', 'DEMO__B', 'DEMO__UNUSED', 'BY_HAND', 'A_B__SHARED', 'A_B__ONE'];
    await secrets.write(new Map(names.map((name) => [name, 'v'])));
    await writeConfig('demo', referring('demo', 'DEMO__A', 'DEMO__ABSENT', 'BY_HAND', 'A_B__ONE'));
    await writeConfig('a.b', referring('a.b', 'A_B__SHARED', 'A_B__ONE'));
    await writeConfig('a-b', referring('a-b', 'A_B__SHARED', 'DEMO__B'));
    owners.forgetAll();

    await registry.start();

    assert.equal(
      [...owners.rows].map(([secret, { server }]) => [secret, server]),
      [
        ['A_B__ONE', 'a.b'],
        ['DEMO__A', 'demo'],
      ],
    );
    // Later files are the operator's, whatever they refer to.
    await writeConfig('late', referring('late', 'LATE__A'));
    await secrets.write(new Map([['LATE__A', 'v']]));
    await restartService().registry.start();
    assert.not(owners.rows.has('LATE__A'));
  }));

test('serve their server further without administration rights, at its origin', () =>
  withRegistry(async ({ registry, owners, secrets, writeConfig }) => {
    const config = {
      name: 'crm',
      transport: 'sse',
      url: 'https://a.example/',
      bearer_token: toReference('CRM__T'),
    };
    await secrets.write(new Map([['CRM__T', 'v']]));
    await writeConfig('crm', config);
    owners.forgetAll();
    await registry.start();
    const register = (changes: object) =>
      registry.register({ ...config, ...changes }, { isAdministrator: false, replace: true });

    assert.is(await codeOf(register({ url: 'https://b.example/' })), 'secret_needs_admin');
    await register({ description: 'changed' });
    await registry.deregister('crm');

    assert.is((await secrets.names()).size, 0);
  }));

test('of a server whose file cannot be used are known, too', () =>
  withRegistry(async ({ registry, owners, secrets, writeConfig }) => {
    await secrets.write(new Map([['BROKEN__A', 'v']]));
    await writeConfig('broken', `{"env": {"A": "${toReference('BROKEN__A')}"} oops`);
    owners.forgetAll();

    await registry.start();

    assert.is(owners.rows.get('BROKEN__A')?.server, 'broken');
  }));

test.run();
