/** The store of secret values, and the only one: configs, the database, logs, errors and labels hold none. */
export interface Secrets {
  readonly method: 'env_file' | 'external_manager';
  /** The values of those names that exist now, read from the source each time. Absent names are left out. */
  read(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Those of these names that exist now. */
  names(): Promise<ReadonlySet<string>>;
  /** Adds or replaces these values, atomically; everything else in the source stays unchanged. */
  write(values: ReadonlyMap<string, string>): Promise<void>;
  remove(names: readonly string[]): Promise<void>;
  isReachable(): Promise<boolean>;
}

/** The secrets method of the settings, and its parameters. */
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

/** Parts that are equal in an address and in its decoded form: nothing to escape, no way up. */
export function isVaultPath(text: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/.test(text);
}
