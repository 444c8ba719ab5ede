import { Failure } from '../../lib/failure.ts';
import type { SecretOwner, SecretOwners } from '../../lib/registry/secrets/secret-owners.ts';

export interface MemorySecretOwners extends SecretOwners {
  readonly rows: ReadonlyMap<string, SecretOwner>;
  /** As after an upgrade from a version that kept no record. */
  forgetAll(): void;
}

/** The record of owners, kept over the services of one test. */
export function createMemorySecretOwners(): MemorySecretOwners {
  const rows = new Map<string, SecretOwner>();
  let areKnown = false;
  const put = (entries: Iterable<readonly [string, SecretOwner]>) => {
    for (const [secret, owner] of entries) rows.set(secret, owner);
  };

  return {
    rows,
    forgetAll() {
      rows.clear();
      areKnown = false;
    },
    read: async () => new Map(rows),
    async claim(secrets, owner) {
      if (secrets.some((secret) => (rows.get(secret)?.server ?? owner.server) !== owner.server)) {
        throw new Failure('conflict', 'It belongs to another server.');
      }
      const before = [...rows].filter(([secret]) => secrets.includes(secret));
      put(secrets.map((secret) => [secret, owner] as const));
      return async () => {
        for (const secret of secrets) rows.delete(secret);
        put(before);
      };
    },
    async release(secrets) {
      for (const secret of secrets) rows.delete(secret);
    },
    areKnown: async () => areKnown,
    async record(owners) {
      if (!areKnown) put([...owners].filter(([secret]) => !rows.has(secret)));
      areKnown = true;
    },
  };
}
