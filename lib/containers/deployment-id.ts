import type { Queryable } from '../database/database.ts';

/**
 * The id in the labels of all our containers: one for each database, made by whichever process asks first.
 * @param newId Made of lower-case letters and digits, since it becomes part of a network's name.
 */
export async function readDeploymentId(database: Queryable, newId: () => string): Promise<string> {
  await database.query('insert into deployment (id) values ($1) on conflict do nothing', [newId()]);
  const [row] = await database.query<{ id: string }>('select id from deployment');
  if (row === undefined) throw new Error('the deployment has no id');
  return row.id;
}
