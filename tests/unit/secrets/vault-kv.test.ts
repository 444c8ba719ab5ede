/** What only the external manager has: versions, check-and-set, other people's keys, and its refusals. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createVaultClient } from '../../../lib/secrets/vault-client.ts';
import { createVaultSecrets } from '../../../lib/secrets/vault-kv.ts';
import { path, sentenceOf, startVaultFixture, token, type VaultFixture } from './vault-fixture.ts';

const test = suite('the external_manager secrets method');
let fixture: VaultFixture;

test.before.each(async () => {
  fixture = await startVaultFixture();
});
test.after.each(() => fixture.vault.stop());

const dataNow = () => {
  const { data } = fixture.vault.store.readData(path, 0) as { data?: { data: unknown } };
  return data?.data;
};
const put = (data: unknown) => fixture.vault.store.writeData(path, { data });

test('values that other tools wrote as numbers or objects are read as text and kept as they are', async () => {
  put({ PORT: 8080, ON: true, NESTED: { a: [1] }, NOTHING: null });

  const values = await fixture.secrets.read(['PORT', 'ON', 'NESTED', 'NOTHING']);
  await fixture.secrets.write(new Map([['A', '1']]));

  assert.equal(
    [...values],
    [
      ['PORT', '8080'],
      ['ON', 'true'],
      ['NESTED', '{"a":[1]}'],
    ],
  );
  assert.equal(dataNow(), { PORT: 8080, ON: true, NESTED: { a: [1] }, NOTHING: null, A: '1' });
  assert.not.ok((await fixture.secrets.names()).has('NOTHING'));
});

test('a write in between is kept: ours is done again on top of it', async () => {
  put({ A: '1' });
  let others = 3;
  fixture.vault.beforeWrite = () => {
    if (others-- > 0) put({ A: '1', OTHER: String(others) });
  };

  await fixture.secrets.write(new Map([['B', '2']]));

  assert.equal(dataNow(), { A: '1', OTHER: '0', B: '2' });
});

test('somebody who writes without end is no reason to overwrite anything', async () => {
  fixture.vault.beforeWrite = () => put({ OTHER: 'CANARY' });

  const sentence = await sentenceOf(fixture.secrets.write(new Map([['B', 'CANARY']])));

  assert.match(sentence, 'keep changing');
  assert.equal(dataNow(), { OTHER: 'CANARY' });
});

test('a secret whose newest version was deleted is empty, and is written on from its version', async () => {
  put({ A: '1' });
  fixture.vault.store.deleteNewest(path);

  assert.is((await fixture.secrets.names()).size, 0);
  await fixture.secrets.write(new Map([['B', '2']]));

  assert.equal(dataNow(), { B: '2' });
  assert.equal(fixture.vault.store.readData(path, 1).status, 404);
});

test('a secret whose newest version was destroyed is empty too', async () => {
  put({ A: '1' });
  fixture.vault.store.change('destroy', path, [1]);

  assert.is((await fixture.secrets.read(['A'])).size, 0);
});

test('what changes nothing makes no version', async () => {
  await fixture.secrets.write(new Map([['A', '1']]));
  const before = fixture.vault.requested.length;

  await fixture.secrets.write(new Map([['A', '1']]));
  await fixture.secrets.remove(['NEVER']);

  const since = fixture.vault.requested.slice(before);
  assert.equal(since, ['GET /v1/secret/data/svc-mcp', 'GET /v1/secret/data/svc-mcp']);
});

test('values and the token are in no address', async () => {
  await fixture.secrets.write(new Map([['A', 'VALUE-CANARY']]));
  await fixture.secrets.read(['A']);

  assert.not.match(fixture.vault.requested.join('\n'), 'CANARY');
});

test('a mount of several parts is written as in the API', async () => {
  const deep = createVaultSecrets({ client: fixture.client, path: 'team/kv/data/svc-mcp' });

  await sentenceOf(deep.names());

  assert.equal(fixture.vault.requested, ['GET /v1/team/kv/data/svc-mcp']);
});

test('sealed: a sentence says so, and the method is out of reach until it is unsealed', async () => {
  fixture.vault.mode = 'sealed';
  const sentence = await sentenceOf(fixture.secrets.read(['A']));
  const whileSealed = await fixture.secrets.isReachable();
  fixture.vault.mode = undefined;

  assert.is(sentence, 'The secrets manager is sealed; unseal it.');
  assert.not(whileSealed);
  assert.ok(await fixture.secrets.isReachable());
});

test('one that was never initialised is out of reach; a standby node is not', async () => {
  fixture.vault.mode = 'uninitialized';
  assert.not(await fixture.secrets.isReachable());

  fixture.vault.mode = 'standby';
  assert.ok(await fixture.secrets.isReachable());
  assert.is((await fixture.secrets.names()).size, 0);
});

test('nobody listens: a sentence names the setting', async () => {
  await fixture.vault.stop();

  const sentence = await sentenceOf(fixture.secrets.write(new Map([['A', 'CANARY']])));

  assert.match(sentence, /^The secrets manager at `VAULT_ADDR` cannot be reached \(ECONN\w+\)\.$/);
  assert.not(await fixture.secrets.isReachable());
  await fixture.vault.start();
  assert.ok(await fixture.secrets.isReachable());
});

test('one that never answers is given up after 5 s', async () => {
  fixture.vault.mode = 'silent';
  const startedAt = performance.now();

  const [sentence, isReachable] = await Promise.all([
    sentenceOf(fixture.secrets.read(['A'])),
    fixture.secrets.isReachable(),
  ]);
  const tookMs = performance.now() - startedAt;

  assert.is(sentence, 'The secrets manager did not answer within 5 s.');
  assert.not(isReachable);
  assert.ok(tookMs > 4500 && tookMs < 6500, `${tookMs} ms`);
});

test('a token that is wrong, and one that may not write, are told apart from nothing and shown nowhere', async () => {
  fixture.vault.tokens.issue(token, { policy: { 'secret/data/svc-mcp': ['read'] } });
  put({ A: '1' });

  const mayRead = await fixture.secrets.read(['A']);
  const mayNotWrite = await sentenceOf(fixture.secrets.write(new Map([['B', 'CANARY']])));
  fixture.vault.tokens.revoke(token);
  const wrong = await sentenceOf(fixture.secrets.read(['A']));

  assert.is(mayRead.get('A'), '1');
  assert.match(mayNotWrite, 'denied access: `VAULT_TOKEN`');
  assert.match(wrong, 'denied access: `VAULT_TOKEN`');
});

test('read, create and update are all that the policy must grant', async () => {
  fixture.vault.tokens.issue(token, { policy: { 'secret/data/svc-mcp': ['read', 'create', 'update'] } });

  await fixture.secrets.write(
    new Map([
      ['A', '1'],
      ['B', '2'],
    ]),
  );
  await fixture.secrets.remove(['A']);

  assert.equal(dataNow(), { B: '2' });
});

test('a mount that is not there is no empty secret', async () => {
  const elsewhere = createVaultSecrets({ client: fixture.client, path: 'nowhere/svc-mcp' });

  assert.match(await sentenceOf(elsewhere.names()), 'no KV version 2 store where `VAULT_PATH` points');
});

test('a redirect is not followed: the token would go with it', async () => {
  fixture.vault.mode = 'redirecting';

  const sentence = await sentenceOf(fixture.secrets.read(['A']));

  assert.match(sentence, 'redirects; set `VAULT_ADDR`');
  assert.is(fixture.vault.requested.length, 1);
});

test('a rate limit and a proxy’s page have their sentences', async () => {
  fixture.vault.mode = 'busy';
  assert.match(await sentenceOf(fixture.secrets.read(['A'])), 'try again shortly');

  fixture.vault.mode = 'no_json';
  assert.is(await sentenceOf(fixture.secrets.read(['A'])), 'The secrets manager answered with status 502.');
});

test('what `fetch` says about a token it cannot send is shown nowhere', async () => {
  const client = createVaultClient({ address: fixture.vault.address, token: 'TOKEN-CANARY\n\u0001', fetch });

  const sentence = await sentenceOf(client.send('GET', 'sys/health'));

  assert.is(sentence, 'The secrets manager at `VAULT_ADDR` cannot be reached.');
});

test.run();
