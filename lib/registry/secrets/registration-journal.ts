import type { Database } from '../../database/database.ts';

/**
 * Registrations under way that write secrets. A secret must exist before its server can start, and the server must run
 * before it is registered: the next start finds here the secrets that a killed service left between the two.
 */
export interface RegistrationJournal {
  /** Resolves, once the entry is durable, with a function that deletes it. */
  record(secrets: readonly string[]): Promise<() => Promise<void>>;
  /** Entries that earlier processes of this installation recorded and did not delete. */
  unfinished(): Promise<readonly UnfinishedRegistration[]>;
  delete(id: string): Promise<void>;
}

export interface UnfinishedRegistration {
  readonly id: string;
  /** Names of secrets. */
  readonly secrets: readonly string[];
}

/** Stored in the table `unfinished_registrations`. */
export function createRegistrationJournal(options: {
  readonly database: Database;
  /** Id of this `DATA_DIR`, which one process uses at a time: entries that it finds at its start belong to no live process. */
  readonly installationId: string;
  readonly newId: () => string;
}): RegistrationJournal {
  const { database, installationId, newId } = options;
  const own = new Set<string>();

  async function remove(id: string): Promise<void> {
    await database.query('delete from unfinished_registrations where id = $1', [id]);
    own.delete(id);
  }

  return {
    async record(secrets) {
      const id = newId();
      own.add(id);
      await database.query(
        'insert into unfinished_registrations (id, installation, secrets) values ($1, $2, $3::text[])',
        [id, installationId, secrets],
      );
      return () => remove(id);
    },
    async unfinished() {
      const rows = await database.query<UnfinishedRegistration>(
        'select id, secrets from unfinished_registrations where installation = $1',
        [installationId],
      );
      return rows.filter(({ id }) => !own.has(id));
    },
    delete: remove,
  };
}
