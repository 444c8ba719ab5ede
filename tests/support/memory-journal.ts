import type { RegistrationJournal } from '../../lib/registry/secrets/registration-journal.ts';

export interface MemoryJournal extends RegistrationJournal {
  /** The names of secrets in each entry that is not deleted. */
  readonly entries: ReadonlyMap<string, readonly string[]>;
  /** All entries so far become those of a service that has ended. */
  killService(): void;
}

/** The journal of registrations, kept over the services of one test. */
export function createMemoryJournal(): MemoryJournal {
  const entries = new Map<string, readonly string[]>();
  const own = new Set<string>();
  let last = 0;
  const remove = async (id: string) => void entries.delete(id);

  return {
    entries,
    killService: () => own.clear(),
    async record(secrets) {
      last += 1;
      const id = String(last);
      entries.set(id, secrets);
      own.add(id);
      return () => remove(id);
    },
    unfinished: async () =>
      [...entries].filter(([id]) => !own.has(id)).map(([id, secrets]) => ({ id, secrets })),
    delete: remove,
  };
}
