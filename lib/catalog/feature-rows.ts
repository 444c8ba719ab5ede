import type { Queryable } from '../database/database.ts';
import { type FeatureKind, featureKinds } from '../definitions/judge-feature.ts';
import { elementsOf, memberText } from '../json/raw-json.ts';
import { leftOutName, leftOutNameless } from '../names/shown-names.ts';
import type { ServerFeature, ServerFeatures } from './features.ts';

/**
 * The statements on the table `server_offers`, and its lists as text and back. Definitions go in and out as the text
 * they are; only the member that each is asked for by is read. Everything is JSON text there, since a server's own
 * strings may hold characters that Postgres refuses.
 */

interface FeatureRow {
  readonly server: string;
  readonly capabilities: string;
  readonly instructions: string | null;
  readonly prompts: string;
  readonly resources: string;
  readonly templates: string;
  readonly listing_problems: readonly string[];
}

/** @param server Only this one; absent: all of them. */
export async function readFeatures(
  database: Queryable,
  server?: string,
): Promise<Map<string, ServerFeatures>> {
  const rows = await database.query<FeatureRow>(
    `select server, capabilities, instructions, prompts, resources, templates, listing_problems
     from server_offers
     where $1::text is null or server = $1`,
    [server ?? null],
  );
  return new Map(rows.map((row) => [row.server, toFeatures(row)]));
}

/** Writes nothing for a server that is not registered any more. */
export async function writeFeatures(
  database: Queryable,
  server: string,
  features: ServerFeatures,
): Promise<void> {
  await database.query(
    `insert into server_offers (server, capabilities, instructions, prompts, resources, templates, listing_problems)
     select name, $2, $3, $4, $5, $6, $7::text[] from servers where name = $1
     on conflict (server) do update
     set capabilities = excluded.capabilities, instructions = excluded.instructions, prompts = excluded.prompts,
       resources = excluded.resources, templates = excluded.templates, listing_problems = excluded.listing_problems, updated_at = now()`,
    [
      server,
      features.capabilities,
      features.instructions === undefined ? null : JSON.stringify(features.instructions),
      listText(features.prompts),
      listText(features.resources),
      listText(features.templates),
      features.problems ?? [],
    ],
  );
}

/**
 * The offers among raw definitions that can be asked for; of two with one key the first.
 * @param problems Takes a sentence for each that is left out.
 */
export function toFeatureList(
  definitions: readonly string[],
  kind: FeatureKind,
  problems: string[] = [],
): readonly ServerFeature[] {
  const { name, key } = featureKinds[kind];
  const features = new Map<string, ServerFeature>();
  let nameless = 0;
  for (const definition of definitions) {
    const value: unknown = JSON.parse(memberText(definition, key) ?? 'null');
    if (typeof value !== 'string' || value === '') nameless++;
    else if (features.has(value)) problems.push(leftOutName(name, value, 'is that of an earlier one', key));
    else features.set(value, { key: value, definition });
  }
  if (nameless > 0) problems.push(leftOutNameless(name, key, nameless));
  return [...features.values()];
}

function toFeatures(row: FeatureRow): ServerFeatures {
  const list = (kind: FeatureKind) => {
    const text = row[kind];
    const definitions = elementsOf(text).map(({ start, end }) => text.slice(start, end));
    return toFeatureList(definitions, kind);
  };
  return {
    capabilities: row.capabilities,
    instructions: row.instructions === null ? undefined : String(JSON.parse(row.instructions)),
    prompts: list('prompts'),
    resources: list('resources'),
    templates: list('templates'),
    ...(row.listing_problems.length > 0 ? { problems: row.listing_problems } : {}),
  };
}

function listText(features: readonly ServerFeature[]): string {
  return `[${features.map(({ definition }) => definition).join(',')}]`;
}
