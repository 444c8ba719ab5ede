import type { Database, Queryable } from '../../database/database.ts';
import { Failure } from '../../failure.ts';
import type { SecretOwner, SecretOwners } from './secret-owners.ts';

interface Row extends SecretOwner {
  readonly secret: string;
}

/** The record of owners in the table `secret_owners`, which all processes of an installation share. */
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

/** How many rows are the owner's now; those of another server stay that server's. */
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
