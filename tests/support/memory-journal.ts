import type { RegistrationJournal } from '../../lib/registry/secrets/registration-journal.ts';

export interface MemoryJournal extends RegistrationJournal {
  /** The names of secrets in each entry that is not struck out. */
  readonly entries: ReadonlyMap<string, readonly string[]>;
  /** From now on every entry is one of a service that is gone. */
  killService(): void;
}

/** The journal of registrations, kept over the services of one test. */
export function createMemoryJournal(): MemoryJournal {
  const entries = new Map<string, readonly string[]>();
  const own = new Set<string>();
  let last = 0;
  const strike = async (id: string) => void entries.delete(id);

  return {
    entries,
    killService: () => own.clear(),
    async note(secrets) {
      last += 1;
      const id = String(last);
      entries.set(id, secrets);
      own.add(id);
      return () => strike(id);
    },
    leftBehind: async () =>
      [...entries].filter(([id]) => !own.has(id)).map(([id, secrets]) => ({ id, secrets })),
    strike,
  };
}
