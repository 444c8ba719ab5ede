/** The rows that an installation must not lose, as texts: by table, of each row the columns that are its content. */
import type { Queryable } from '../../lib/database/database.ts';

const columns: Readonly<Record<string, string>> = {
  servers: 'name, config::text',
  tools: 'server, name, position, definition, hash, first_listed_at',
  server_offers: 'server, capabilities, instructions, prompts, resources, templates',
  accepted_tools: 'group_name, tool, hash',
  sessions:
    'id, group_name, protocol_version, client_info::text, client_capabilities::text, log_level, created_at',
  session_subscriptions: 'session_id, server, uri',
  event_streams: 'id, session_id, principal, last_words',
  stream_events: 'stream_id, seq, message, is_last',
  containers: 'server, session_id, container_id, config_hash',
  deployment: 'id',
  unfinished_registrations: 'id, installation, secrets',
};

export async function readKeptRows(database: Queryable): Promise<Record<string, readonly string[]>> {
  const found: [string, string[]][] = [];
  for (const [table, selected] of Object.entries(columns)) {
    const rows = await database.query<{ text: string }>(
      `select row(${selected})::text as text from ${table}`,
    );
    found.push([table, rows.map(({ text }) => text)]);
  }
  return Object.fromEntries(found);
}
