/** The places where a secret value could lie: texts by name, to be searched. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** Where → what it says. */
export type Texts = ReadonlyMap<string, string>;

/** Every file below `directory` but those that `isExempt`; what vanishes meanwhile is left out. */
export function filesBelow(directory: string, isExempt: (path: string) => boolean = () => false): Texts {
  const texts = new Map<string, string>();
  for (const entry of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const path = join(directory, entry);
    try {
      if (statSync(path).isFile() && !isExempt(path))
        texts.set(`file ${entry}`, readFileSync(path, 'latin1'));
    } catch {
      // It was a temporary file.
    }
  }
  return texts;
}

/** Every row of every table that is not Postgres's own, as text. */
export async function tablesOf(databaseUrl: string): Promise<Texts> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const tables = await client.query(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const texts = new Map<string, string>();
    for (const { name } of tables.rows) {
      const rows = await client.query(`select one::text as text from ${name} one`);
      texts.set(`table ${name}`, rows.rows.map(({ text }) => text).join('\n'));
    }
    return texts;
  } finally {
    await client.end();
  }
}

/** Looks at the command lines of all processes of the machine, again and again, and keeps each it ever saw. */
export function watchCommandLines(): { readonly seen: ReadonlySet<string>; stop(): void } {
  const seen = new Set<string>();
  const look = () => {
    for (const entry of readdirSync('/proc')) {
      if (!/^\d+$/.test(entry)) continue;
      try {
        seen.add(readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' '));
      } catch {
        // It ended between being listed and being read.
      }
    }
  };
  look();
  const timer = setInterval(look, 100);
  return { seen, stop: () => clearInterval(timer) };
}
