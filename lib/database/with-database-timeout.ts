import { databaseUnavailable } from '../failure.ts';

/** Rejects with `database_unavailable` when `reading` takes longer: for callers who have something else to go by. */
export async function withDatabaseTimeout<Result>(
  reading: Promise<Result>,
  timeoutMs: number,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(databaseUnavailable()), timeoutMs);
  });
  try {
    return await Promise.race([reading, overdue]);
  } finally {
    clearTimeout(timer);
  }
}
