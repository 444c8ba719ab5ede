import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type CredentialSource,
  createRegistryCredentials,
  secretCredentials,
  secretsOf,
} from '../../../lib/containers/credentials/registry-credentials.ts';
import { Failure } from '../../../lib/failure.ts';
import { createVaultClient } from '../../../lib/secrets/vault-client.ts';
import { createVaultSecrets } from '../../../lib/secrets/vault-kv.ts';
import { startFakeVault } from '../../support/fake-vault.ts';

/** A secrets method that has these values. */
const createMemorySecrets = (values: Record<string, string>) => ({
  read: async (names: readonly string[]) =>
    new Map(Object.entries(values).filter(([name]) => names.includes(name))),
});

const test = suite('credentials of registries');

const fromFile: CredentialSource = async (registry) => ({
  auth: { username: 'file', password: registry, serveraddress: registry },
  source: 'the file',
});

test('the registry of the image’s name is the one whose credentials are looked up', async () => {
  const { find } = createRegistryCredentials([fromFile]);
  const expected: [image: string, registry: string][] = [
    ['alpine', 'docker.io'],
    ['mcp/memory:latest', 'docker.io'],
    ['docker.io/mcp/memory', 'docker.io'],
    ['index.docker.io/mcp/memory', 'docker.io'],
    ['ghcr.io/acme/tool:1', 'ghcr.io'],
    ['GHCR.io/acme/tool', 'ghcr.io'],
    ['localhost/tool', 'localhost'],
    ['localhost:5000/tool', 'localhost:5000'],
    ['registry.example:5000/a/b/c@sha256:0', 'registry.example:5000'],
    ['docker.io/ghcr.io/tool', 'docker.io'],
    ['ghcr.io.evil.example/acme/tool', 'ghcr.io.evil.example'],
  ];

  for (const [image, registry] of expected) assert.is((await find(image)).auth?.password, registry, image);
});

test('a secret wins over the file, and goes to its registry alone', async () => {
  const secrets = createMemorySecrets({ LOGIN: 'me:pass:word' });
  const named = new Map([['registry.example', 'LOGIN']]);
  const { find } = createRegistryCredentials([secretCredentials(named, secrets), fromFile]);

  assert.equal(await find('registry.example/x'), {
    auth: { username: 'me', password: 'pass:word', serveraddress: 'registry.example' },
    source: 'the secret `LOGIN`',
    troubles: [],
  });
  for (const other of [
    'registry-example/x/y',
    'registry.example:443/x',
    'x.registry.example/x',
    'registry_example/x',
  ]) {
    assert.is((await find(other)).source, 'the file', other);
  }
});

test('a secrets manager serves as well as a file', async () => {
  const vault = await startFakeVault();
  vault.tokens.issue('t', {});
  const client = createVaultClient({ address: vault.address, token: 't', fetch });
  const secrets = createVaultSecrets({ client, path: 'secret/svc-mcp' });
  const { find } = createRegistryCredentials([secretCredentials(new Map([['docker.io', 'HUB']]), secrets)]);

  await secrets.write(new Map([['HUB', 'me:from-the-vault']]));
  const found = await find('acme/tool');
  await vault.stop();
  const away = await find('acme/tool');

  assert.equal(found.auth, {
    username: 'me',
    password: 'from-the-vault',
    serveraddress: 'https://index.docker.io/v1/',
  });
  assert.match(away.troubles.join(), 'The secrets manager at `VAULT_ADDR` cannot be reached');
});

test('a secret that is missing, or is no name and password, is told of, and the file counts', async () => {
  const secrets = createMemorySecrets({ ODD: 'only-a-token' });
  const named = new Map([
    ['one.example', 'ABSENT'],
    ['two.example', 'ODD'],
  ]);
  const { find } = createRegistryCredentials([secretCredentials(named, secrets), fromFile]);

  const [absent, odd] = [await find('one.example/x'), await find('two.example/x')];

  assert.equal(absent.troubles, ['There is no secret `ABSENT`, which `REGISTRY_CREDENTIALS` names.']);
  assert.equal(odd.troubles, ['The secret `ODD` is not of the form `user:password`.']);
  assert.equal([absent.source, odd.source], ['the file', 'the file']);
});

test('a secrets method that is away hinders nobody', async () => {
  const read = async () => {
    throw new Failure('storage_failed', 'The secrets manager is sealed; unseal it.');
  };
  const named = new Map([['one.example', 'LOGIN']]);
  const { find } = createRegistryCredentials([secretCredentials(named, { read })]);

  assert.equal(await find('one.example/x'), { troubles: ['The secrets manager is sealed; unseal it.'] });
  assert.equal(await find('two.example/x'), { troubles: [] });
});

test('all that must not be seen is known, also as it travels', () => {
  assert.equal(secretsOf({ username: 'me', password: 'pässword', serveraddress: 'x' }), [
    'pässword',
    Buffer.from('me:pässword').toString('base64'),
  ]);
  assert.equal(secretsOf({ identitytoken: 'a', serveraddress: 'x' }), ['a']);
});

test.run();
