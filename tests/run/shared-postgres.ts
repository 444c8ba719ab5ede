/** One Postgres for all contract and end-to-end files of a run; each file makes its own database in it. */
export interface SharedPostgres {
  /** Environment for the children: `TEST_POSTGRES_URL`, or nothing where no Postgres can be had. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Uses the Postgres of `TEST_POSTGRES_URL` where one is given. Installs one (Debian, root) only in CI. */
export async function startSharedPostgres(): Promise<SharedPostgres> {
  const nothing = { env: {}, stop: async () => {} };
  if (process.env.TEST_POSTGRES_URL) return nothing;
  const { startPostgres } = await import('../support/postgres.ts');
  const cluster = await startPostgres({ mayInstall: process.env.CI === 'true' });
  if (!cluster) return nothing;
  return { env: { TEST_POSTGRES_URL: cluster.url }, stop: () => cluster.stop() };
}
