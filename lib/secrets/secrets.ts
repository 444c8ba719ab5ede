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
