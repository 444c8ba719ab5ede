import type { Log } from '../log.ts';
import { createEnvFile } from './node-env-file.ts';
import type { Secrets, SecretsTarget } from './secrets.ts';
import { createVaultClient } from './vault-client.ts';
import { createVaultSecrets } from './vault-kv.ts';
import { renewVaultToken } from './vault-token.ts';

/** The open secrets method of the settings. */
export interface OpenSecrets extends Secrets {
  /** The place of the values, for the start-up text; nothing secret. */
  readonly label: string;
  close(): void;
}

export function openSecrets(target: SecretsTarget, log: Log): OpenSecrets {
  if (target.method === 'env_file') {
    return { ...createEnvFile({ path: target.path, log }), label: target.path, close() {} };
  }
  const client = createVaultClient({ ...target, fetch: globalThis.fetch });
  const renewal = renewVaultToken({ client, log });
  return {
    ...createVaultSecrets({ client, path: target.path }),
    label: `${target.address}, ${target.path}`,
    close: renewal.stop,
  };
}
