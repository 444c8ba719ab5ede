import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * The database of a service under test: the URL given, none for the embedded one, or, with
 * `TEST_DATABASE=postgres`, a fresh database in the cluster of `TEST_POSTGRES_URL`.
 */
export async function serviceDatabase(wanted: string | undefined): Promise<string | undefined> {
  const choice = wanted ?? process.env.TEST_DATABASE ?? 'embedded';
  if (choice === 'embedded') return undefined;
  return choice === 'postgres' ? createDatabase() : choice;
}

async function createDatabase(): Promise<string> {
  const cluster = process.env.TEST_POSTGRES_URL;
  if (!cluster)
    throw new Error('TEST_DATABASE=postgres needs TEST_POSTGRES_URL, the URL of a running Postgres.');
  const name = `svc_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: cluster });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return url.href;
}
