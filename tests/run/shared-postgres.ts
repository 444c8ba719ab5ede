/** One Postgres for all contract and end-to-end files of a run; each file makes its own database in it. */
export interface SharedPostgres {
  /** Environment for the children: `TEST_POSTGRES_URL`, or nothing where no Postgres can be had. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export async function startSharedPostgres(): Promise<SharedPostgres> {
  if (process.env.TEST_POSTGRES_URL) return { env: {}, stop: async () => {} };
  const { startPostgres } = await import('../support/postgres.ts');
  const cluster = await startPostgres();
  if (!cluster) return { env: {}, stop: async () => {} };
  return { env: { TEST_POSTGRES_URL: cluster.url }, stop: async () => void (await cluster.stop()) };
}
