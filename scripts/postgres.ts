/**
 * A throw-away Postgres for tests and benches: `up [dir]` installs it when missing (Debian, as root), starts
 * it on a free port of 127.0.0.1 and prints its URL; `down [dir]` stops it and removes it. Exit code 3 and
 * one line when this machine cannot have one.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../tests/support/free-port.ts';
import {
  findBinaries,
  initCluster,
  installPostgres,
  readServerPid,
  removeCluster,
  startServer,
  stopServer,
} from './postgres-cluster.ts';

const [command, directory = join(tmpdir(), 'svc-mcp-postgres')] = process.argv.slice(2);
const commands: Readonly<Record<string, () => Promise<void>>> = { up, down };

const chosen = commands[command ?? ''];
if (chosen) await chosen();
else {
  console.error('Usage: node --import tsx scripts/postgres.ts up|down [dir]');
  process.exitCode = 2;
}

async function up(): Promise<void> {
  try {
    if (!findBinaries()) await installPostgres();
    await down();
    await initCluster(directory);
    const { url } = await startServer({ directory, port: await freePort() });
    console.log(url);
  } catch (error) {
    console.error(`postgres: skipped, ${(error as Error).message.split('\n')[0]}`);
    process.exitCode = 3;
  }
}

async function down(): Promise<void> {
  const pid = await readServerPid(directory);
  if (pid) await stopServer(pid, 'fast');
  await removeCluster(directory);
}
