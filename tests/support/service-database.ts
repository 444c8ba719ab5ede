import { randomBytes } from 'node:crypto';
import { createTestDatabase } from './postgres.ts';

/**
 * The database of a service under test: the URL given, none for the embedded one, or, with `postgres` or
 * `TEST_DATABASE=postgres`, a fresh database of the cluster that the runner started.
 */
export async function serviceDatabase(wanted: string | undefined): Promise<string | undefined> {
  const choice = wanted ?? process.env.TEST_DATABASE ?? 'embedded';
  if (choice === 'embedded') return undefined;
  if (choice !== 'postgres') return choice;
  const url = await createTestDatabase(`svc_${randomBytes(6).toString('hex')}`);
  if (!url) throw new Error('TEST_DATABASE=postgres, but this machine has no Postgres.');
  return url;
}
