/**
 * Real Postgres for tests. `startPostgres` makes a cluster of its own, for tests that break it;
 * `createTestDatabase` makes a fresh database in the cluster that the runner started.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  findBinaries,
  initCluster,
  installPostgres,
  processesOf,
  type StopMode,
  startServer,
  stopServer,
} from '../../scripts/postgres-cluster.ts';
import { freePort } from './free-port.ts';

export interface TestPostgres {
  /** As the administrator, in the database `postgres`. Stays the same over stop and start. */
  readonly url: string;
  /** `immediate` is a crash. The data stay for the next start, until this process ends. */
  stop(mode?: StopMode): Promise<void>;
  start(): Promise<void>;
  /** Every process of the server stands still: connections stay open and nothing is answered. */
  pause(): void;
  resume(): void;
  /** Resolves to the URL of the new database. */
  createDatabase(name: string): Promise<string>;
}

export interface TestPostgresOptions {
  /** Install Debian's package when Postgres is missing. */
  readonly mayInstall?: boolean;
}

/** Undefined, after one line on stderr that says why, when this machine has no Postgres. */
export async function startPostgres({
  mayInstall = false,
}: TestPostgresOptions = {}): Promise<TestPostgres | undefined> {
  try {
    if (!findBinaries() && mayInstall) await installPostgres();
    if (!findBinaries()) throw new Error('it is not installed; scripts/postgres.ts up installs it');
    return await startCluster();
  } catch (error) {
    console.error(`postgres: skipped, ${(error as Error).message}`);
    return undefined;
  }
}

/**
 * The URL of a fresh database; undefined as above. Without a runner a cluster is started for this process. The
 * database outlives the process in the runner's cluster, where ids of processes come round again: its name is random.
 */
export async function createTestDatabase(name: string): Promise<string | undefined> {
  const url = process.env.TEST_POSTGRES_URL ?? (await startPostgres())?.url;
  return url && (await createDatabase(url, `${name}_${randomUUID().slice(0, 8)}`));
}

async function startCluster(): Promise<TestPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-mcp-postgres-'));
  const port = await freePort();
  await initCluster(directory);
  const start = () => startServer({ directory, port, endsWithParent: true });
  let server = await start();

  process.once('exit', () => {
    signal('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  function signal(name: NodeJS.Signals): void {
    for (const pid of processesOf(server.pid)) {
      try {
        process.kill(pid, name);
      } catch {
        // It ended between being listed and being signalled.
      }
    }
  }

  return {
    url: server.url,
    stop: (mode = 'fast') => stopServer(server.pid, mode),
    async start() {
      server = await start();
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    createDatabase: (name) => createDatabase(server.url, name),
  };
}

async function createDatabase(clusterUrl: string, name: string): Promise<string> {
  const client = new pg.Client(clusterUrl);
  await client.connect();
  try {
    await client.query(`create database "${name}"`);
  } finally {
    await client.end();
  }
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}
