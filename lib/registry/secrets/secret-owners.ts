import type { Database, Queryable } from '../../database/database.ts';
import { Failure } from '../../failure.ts';

/**
 * The server that owns each secret, and the origin for which its value was given. A secret without a record is the
 * operator's. Names of secrets show neither: `crm` and `CRM` lead to the same ones (docs/decisions/0012).
 */
export interface SecretOwners {
  /** Secret name → its owner. */
  read(): Promise<ReadonlyMap<string, SecretOwner>>;
  /**
   * Records the owner of these secrets, before any value is written. Resolves with the undo. Fails with `conflict`, and
   * claims none, when one belongs to another server, perhaps claimed by another process just now.
   */
  claim(secrets: readonly string[], owner: SecretOwner): Promise<() => Promise<void>>;
  /** Deletes the owners of these secrets. */
  release(secrets: readonly string[]): Promise<void>;
  /** Whether secrets that are older than this table have their owners. */
  areKnown(): Promise<boolean>;
  /** Records owners of secrets that have none yet; only the first call of an installation has an effect. */
  record(owners: ReadonlyMap<string, SecretOwner>): Promise<void>;
}

export interface SecretOwner {
  readonly server: string;
  /** Hash of the origin (`server-origin.ts`). */
  readonly origin: string;
}

interface Row extends SecretOwner {
  readonly secret: string;
}

/** Stored in the table `secret_owners`, which all processes of an installation share. */
export function createSecretOwners(database: Database): SecretOwners {
  const release = async (secrets: readonly string[]) => {
    if (secrets.length === 0) return;
    await database.query('delete from secret_owners where secret = any($1::text[])', [secrets]);
  };

  return {
    async read() {
      const rows = await database.query<Row>('select secret, server, origin from secret_owners');
      return new Map(rows.map(({ secret, server, origin }) => [secret, { server, origin }]));
    },
    async claim(secrets, owner) {
      if (secrets.length === 0) return async () => {};
      const before = await database.transaction(async (transaction) => {
        const rows = await readRows(transaction, secrets);
        if ((await writeRows(transaction, secrets, owner)) < secrets.length) throw takenMeanwhile();
        return rows;
      });
      return async () => {
        await release(secrets.filter((secret) => !before.some((row) => row.secret === secret)));
        for (const { secret, ...owner } of before) await writeRows(database, [secret], owner);
      };
    },
    release,
    areKnown: async () => (await database.query('select 1 from secret_owners_known')).length > 0,
    record: (owners) =>
      database.transaction(async (transaction) => {
        const isFirst = await transaction.query(
          'insert into secret_owners_known default values on conflict do nothing returning only_row',
        );
        if (isFirst.length === 0) return;
        for (const [secret, { server, origin }] of owners) {
          await transaction.query(
            'insert into secret_owners (secret, server, origin) values ($1, $2, $3) on conflict do nothing',
            [secret, server, origin],
          );
        }
      }),
  };
}

function readRows(database: Queryable, secrets: readonly string[]): Promise<readonly Row[]> {
  return database.query<Row>(
    'select secret, server, origin from secret_owners where secret = any($1::text[])',
    [secrets],
  );
}

/** Resolves with the number of rows that are the owner's now; rows of another server stay unchanged. */
async function writeRows(
  database: Queryable,
  secrets: readonly string[],
  { server, origin }: SecretOwner,
): Promise<number> {
  const written = await database.query(
    `insert into secret_owners (secret, server, origin) select name, $2, $3 from unnest($1::text[]) as name
     on conflict (secret) do update set origin = excluded.origin where secret_owners.server = excluded.server
     returning secret`,
    [secrets, server, origin],
  );
  return written.length;
}

function takenMeanwhile(): Failure {
  return new Failure(
    'conflict',
    'Another server was given a secret of the same name in this moment; try again.',
  );
}
