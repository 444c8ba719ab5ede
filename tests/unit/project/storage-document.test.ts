/** docs/storage.md beside a migrated database and the code: the same tables, keys and files of `DATA_DIR`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { travels } from '../../../lib/events/database-bus.ts';
import { openEmbeddedDatabase } from '../../support/embedded-database.ts';
import { tablesOf } from '../../support/markdown-tables.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { listFiles, readText } from '../../support/source-files.ts';

const test = suite('docs/storage.md');

const text = readText('docs/storage.md');
const [files = [], tables = []] = tablesOf(text);
let folder: string;
let database: Database;

test.before(async () => {
  folder = await mkdtemp(join(scratchFolder(), 'storage-document-'));
  database = await openEmbeddedDatabase(join(folder, 'database'));
});

test.after(async () => {
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Table → columns of its primary key, in their order. */
async function keysInDatabase(): Promise<Map<string, string>> {
  const rows = await database.query<{ name: string; key: string }>(
    `select tables.relname as name, coalesce(string_agg(attname, ', ' order by position), '') as key
     from pg_class tables
     left join pg_index on indrelid = tables.oid and indisprimary
     left join lateral unnest(indkey::int[]) with ordinality as columns (number, position) on true
     left join pg_attribute on attrelid = tables.oid and attnum = number
     where tables.relkind = 'r' and tables.relnamespace = current_schema()::regnamespace
     group by tables.relname`,
  );
  return new Map(rows.map(({ name, key }) => [name, key]));
}

function plain(cell = ''): string {
  return cell.replaceAll('`', '').trim();
}

test('it has each table of the database with its key, and no other', async () => {
  const told = tables.map(([name, key]) => [plain(name), plain(key).replace('one row', 'only_row')]);
  const inDatabase = await keysInDatabase();
  inDatabase.delete('schema_migrations');

  assert.ok(inDatabase.size > 20);
  assert.equal(Object.fromEntries(told), Object.fromEntries(inDatabase));
  assert.is(told.length, inDatabase.size);
});

test('it has each file that the service makes in DATA_DIR, and no other', () => {
  const told = files.flatMap(([cell = '']) => [...cell.matchAll(/DATA_DIR\/([\w.-]+)/g)]);
  const sources = listFiles().filter((path) => /^(lib\/.*|server)\.ts$/.test(path));
  const made = sources.flatMap((path) => [
    ...readText(path).matchAll(/(?:join\((?:settings\.)?dataDir, '|\$\{dataDir\}\/)([\w.-]+)[`']/g),
  ]);
  assert.match(readText('lib/database/node-data-lock.ts'), "join(directory, 'lock')");
  const names = new Set(['lock', ...made.map(([, name]) => name)]);

  assert.equal([...new Set(told.map(([, name]) => name))].sort(), [...names].sort());
});

test('messages go to other processes as names on the channel that it tells', () => {
  const [, channel = ''] = /NOTIFY on the channel `(\w+)`/.exec(text) ?? [];

  assert.ok(readText('lib/events/database-bus.ts').includes(`const channel = '${channel}';`), channel);
  assert.not(travels({ type: 'provision', name: 'x' }));
});

test.run();
