/**
 * On record: which server each secret belongs to, and for which origin its value was given. What is not on record is
 * the operator's. Names of secrets tell neither: `crm` and `CRM` lead to the same ones (docs/decisions/0012).
 */
export interface SecretOwners {
  /** Secret name → its owner. */
  read(): Promise<ReadonlyMap<string, SecretOwner>>;
  /**
   * These are the owner's from now on, before any value is written. Resolves with the way back. Fails with `conflict`
   * when one belongs to another server, as another process may have given it just now; then nothing is claimed.
   */
  claim(secrets: readonly string[], owner: SecretOwner): Promise<() => Promise<void>>;
  /** These have no owner any more. */
  release(secrets: readonly string[]): Promise<void>;
  /** Whether secrets that are older than the record have got their owners. */
  areKnown(): Promise<boolean>;
  /** Gives those that have none yet their owners, once for all. */
  record(owners: ReadonlyMap<string, SecretOwner>): Promise<void>;
}

export interface SecretOwner {
  readonly server: string;
  /** Hash of the origin (`server-origin.ts`). */
  readonly origin: string;
}
