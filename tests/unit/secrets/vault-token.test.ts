/** The token is renewed while it can be; time runs for real here, in tokens that live for seconds. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renewVaultToken, type VaultTokenRenewal } from '../../../lib/secrets/vault-token.ts';
import { createRecordingLog } from '../../support/recording-log.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startVaultFixture, token, type VaultFixture } from './vault-fixture.ts';

const test = suite('the token of the secrets manager');
let fixture: VaultFixture;
let renewal: VaultTokenRenewal;

test.before.each(async () => {
  fixture = await startVaultFixture();
});
test.after.each(async () => {
  renewal.stop();
  await fixture.vault.stop();
});

function keep(settings: Parameters<VaultFixture['vault']['tokens']['issue']>[1]) {
  fixture.vault.tokens.issue(token, settings);
  const { log, logged } = createRecordingLog();
  renewal = renewVaultToken({ client: fixture.client, log });
  return logged;
}

const renewals = () =>
  fixture.vault.requested.filter((one) => one === 'POST /v1/auth/token/renew-self').length;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('a token outlives its time to live, without a word', async () => {
  const logged = keep({ ttlSeconds: 2 });

  await pause(3500);

  assert.ok(fixture.vault.tokens.isValid(token));
  assert.ok(renewals() >= 3, `${renewals()} renewals`);
  assert.equal(logged, []);
});

test('a token without end is left alone', async () => {
  const logged = keep({});

  await waitUntil('it was looked up', () => fixture.vault.requested.length > 0);
  await pause(100);

  assert.equal(fixture.vault.requested, ['GET /v1/auth/token/lookup-self']);
  assert.equal(logged, []);
});

test('a token that cannot be renewed is announced once', async () => {
  const logged = keep({ ttlSeconds: 3600, isRenewable: false });

  await waitUntil('it is announced', () => logged.length > 0);

  assert.is(logged[0]?.level, 'warn');
  assert.match(String(logged[0]?.fields.reason), 'give the service a new one');
  assert.is(renewals(), 0);
});

test('a token that is close to its longest life is announced once', async () => {
  const logged = keep({ ttlSeconds: 3600, longestSeconds: 600 });

  await waitUntil('it is announced', () => logged.length > 0);

  assert.match(String(logged[0]?.fields.reason), 'give the service a new one');
});

test('a manager that was away finds its token renewed when it is back; one warning tells', async () => {
  fixture.vault.mode = 'sealed';
  const logged = keep({ ttlSeconds: 60 });
  await waitUntil('it was tried twice', () => fixture.vault.requested.length >= 2);
  fixture.vault.mode = undefined;

  await waitUntil('it is renewed', () => renewals() > 0);

  assert.equal(
    logged.map(({ fields }) => fields.reason),
    ['The secrets manager is sealed; unseal it.'],
  );
});

test('a denied token is a warning that does not show it', async () => {
  const logged = keep({});
  renewal.stop();
  fixture.vault.tokens.revoke(token);
  const { log, logged: denied } = createRecordingLog();
  renewal = renewVaultToken({ client: fixture.client, log });

  await waitUntil('it is announced', () => denied.length > 0);

  assert.match(String(denied[0]?.fields.reason), 'denied access');
  assert.not.match(JSON.stringify([...logged, ...denied]), 'CANARY');
});

test.run();
