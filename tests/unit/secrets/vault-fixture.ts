import type { Secrets } from '../../../lib/secrets/secrets.ts';
import { createVaultClient, type VaultClient } from '../../../lib/secrets/vault-client.ts';
import { createVaultSecrets } from '../../../lib/secrets/vault-kv.ts';
import { type FakeVault, startFakeVault } from '../../support/fake-vault.ts';

/** A manager with a root token, and our side of it. */
export interface VaultFixture {
  readonly vault: FakeVault;
  readonly client: VaultClient;
  readonly secrets: Secrets;
}

export const token = 'hvs.TOKEN-CANARY';
export const path = 'svc-mcp';

export async function startVaultFixture(): Promise<VaultFixture> {
  const vault = await startFakeVault();
  vault.tokens.issue(token, {});
  const client = createVaultClient({ address: vault.address, token, fetch });
  return { vault, client, secrets: createVaultSecrets({ client, path: `secret/${path}` }) };
}

/** The sentence `work` fails with; everything an error could carry is checked for the token on the way. */
export async function sentenceOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason: Error & { code?: string; cause?: unknown }) => reason,
  );
  const all = [error.message, error.stack, JSON.stringify(error), String(error.cause)].join('\n');
  if (/CANARY/.test(all)) throw new Error(`A secret is in the error: ${all}`);
  return error.message;
}
