/** Which secrets method the settings name, and what it needs. */
export type SecretsTarget = EnvFileTarget | VaultTarget;

export interface EnvFileTarget {
  readonly method: 'env_file';
  readonly path: string;
}

export interface VaultTarget {
  readonly method: 'external_manager';
  /** Without a trailing slash. */
  readonly address: string;
  readonly token: string;
  /** `<mount>/<path>`, or with a mount of several parts `<mount>/data/<path>`, as in the API. */
  readonly path: string;
}

/** Parts that mean the same in an address as they read: nothing to escape, no way up. */
export function isVaultPath(text: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/.test(text);
}
