/** Where secret values live. Nothing else stores one: not configs, the database, logs, errors or labels. */
export interface Secrets {
  readonly method: 'env_file' | 'external_manager';
  /** The values of those names that exist now, read from the source each time. Absent names are left out. */
  read(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Which names exist now. */
  names(): Promise<ReadonlySet<string>>;
  /** Adds or replaces these, atomically; everything else in the source stays as it is. */
  write(values: ReadonlyMap<string, string>): Promise<void>;
  remove(names: readonly string[]): Promise<void>;
  isReachable(): Promise<boolean>;
}

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
