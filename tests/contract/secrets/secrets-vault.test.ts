import { suite } from 'uvu';
import { createVaultClient } from '../../../lib/secrets/vault-client.ts';
import { createVaultSecrets } from '../../../lib/secrets/vault-kv.ts';
import { type FakeVault, startFakeVault } from '../../support/fake-vault.ts';
import { secretsContract } from './secrets-contract.ts';

/** Faults and what only this method has are in `tests/unit/secrets/vault-*.test.ts`. */
const test = suite('secrets: external_manager');
let vault: FakeVault;

test.before.each(async () => {
  vault = await startFakeVault();
  vault.tokens.issue('t', {});
});
test.after.each(() => vault.stop());

secretsContract(test, () => {
  const client = createVaultClient({ address: vault.address, token: 't', fetch });
  return createVaultSecrets({ client, path: 'secret/svc-mcp' });
});

test.run();
