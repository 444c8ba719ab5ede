import type { Database } from '../../database/database.ts';
import type { RegistrationJournal, UnfinishedRegistration } from './registration-journal.ts';

/** The journal of registrations in the table `unfinished_registrations`. */
export function createRegistrationJournal(options: {
  readonly database: Database;
  /** Of this `DATA_DIR`, which one process has at a time: an entry that it finds at its start is nobody else's. */
  readonly installationId: string;
  readonly newId: () => string;
}): RegistrationJournal {
  const { database, installationId, newId } = options;
  const own = new Set<string>();

  async function strike(id: string): Promise<void> {
    await database.query('delete from unfinished_registrations where id = $1', [id]);
    own.delete(id);
  }

  return {
    async note(secrets) {
      const id = newId();
      own.add(id);
      await database.query(
        'insert into unfinished_registrations (id, installation, secrets) values ($1, $2, $3::text[])',
        [id, installationId, secrets],
      );
      return () => strike(id);
    },
    async leftBehind() {
      const rows = await database.query<UnfinishedRegistration>(
        'select id, secrets from unfinished_registrations where installation = $1',
        [installationId],
      );
      return rows.filter(({ id }) => !own.has(id));
    },
    strike,
  };
}
