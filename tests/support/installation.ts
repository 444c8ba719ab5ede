/**
 * Lays out a copy of an installation that an earlier version made (`tests/fixtures/installation-…`), as if it had been
 * stopped a while ago: every stored time, and those of the group files, are moved by as much as has gone by since.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { Database } from '../../lib/database/database.ts';
import { openDatabase } from '../../lib/database/drivers/node-open-database.ts';
import { silentLog } from '../../lib/log.ts';
import type { Expected } from './installation-view.ts';
import type { ServicePlaces } from './run-service.ts';

/** Longer than a session that is never used may live (`UNUSED_SESSION_SECONDS`), shorter than streams are kept. */
const stoppedForMs = 20 * 60_000;

export function fixtureFolder(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
}

export function readExpected(fixture: string): Expected {
  return JSON.parse(readFileSync(join(fixture, 'expected.json'), 'utf8'));
}

/** The file's name says that it is none of ours: `secrets.env` is tracked nowhere. */
export const secretsFile = 'made-up-secrets.txt';

/** @param notesAddress Where the HTTP servers of the installation are now. */
export async function layOutInstallation(
  fixture: string,
  places: ServicePlaces,
  notesAddress: string,
): Promise<void> {
  const expected = readExpected(fixture);
  const shiftMs = Date.now() - stoppedForMs - Date.parse(expected.stoppedAt);
  copyFiles(fixture, places);
  replaceInConfigs(places.configsDir, expected.notesAddress, notesAddress);
  for (const [file, at] of Object.entries(expected.groupsWrittenAt)) {
    const time = new Date(Date.parse(at) + shiftMs);
    utimesSync(join(places.groupsDir, file), time, time);
  }
  if (places.databaseUrl === undefined) await unpack(join(fixture, 'database.tar.br'), places.dataDir);
  await withDatabase(places, async (database) => {
    if (places.databaseUrl !== undefined) {
      await database.query(readFileSync(join(fixture, 'database.sql'), 'utf8'));
    }
    await moveTimes(database, shiftMs);
    await database.query('update servers set config = replace(config::text, $1, $2)::json', [
      expected.notesAddress,
      notesAddress,
    ]);
  });
}

/** Opens the database of a service that does not run. */
export async function withDatabase<Result>(
  { databaseUrl, dataDir }: Pick<ServicePlaces, 'databaseUrl' | 'dataDir'>,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(
    databaseUrl === undefined
      ? { kind: 'pglite', directory: join(dataDir, 'database') }
      : { kind: 'postgres', connectionString: databaseUrl },
    { log: silentLog },
  );
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

function copyFiles(fixture: string, { dataDir, groupsDir, configsDir }: ServicePlaces): void {
  mkdirSync(dataDir, { recursive: true });
  cpSync(join(fixture, 'data'), dataDir, { recursive: true });
  cpSync(join(fixture, secretsFile), join(dataDir, 'secrets.env'));
  for (const file of readdirSync(dataDir)) chmodSync(join(dataDir, file), 0o600);
  cpSync(join(fixture, 'groups'), groupsDir, { recursive: true });
  cpSync(join(fixture, 'configs'), configsDir, { recursive: true });
}

function replaceInConfigs(configsDir: string, before: string, now: string): void {
  for (const file of readdirSync(configsDir)) {
    const path = join(configsDir, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(before, now));
  }
}

async function unpack(archive: string, dataDir: string): Promise<void> {
  const tar = spawn('tar', ['-xf', '-', '-C', dataDir], { stdio: ['pipe', 'inherit', 'inherit'] });
  tar.stdin.end(brotliDecompressSync(readFileSync(archive)));
  const [code] = await once(tar, 'exit');
  if (code !== 0) throw new Error(`tar could not unpack ${archive}: exit code ${code}`);
}

async function moveTimes(database: Database, shiftMs: number): Promise<void> {
  const columns = await database.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns
     where table_schema = 'public' and data_type = 'timestamp with time zone'`,
  );
  for (const { table_name: table, column_name: column } of columns) {
    await database.query(
      `update ${table} set ${column} = ${column} + $1::float8 * interval '1 millisecond'`,
      [shiftMs],
    );
  }
}
