/** What the version stores of a server in a container; no engine is needed for an upgrade to keep it. */
import { createHash } from 'node:crypto';
import type { Queryable } from '../../lib/database/database.ts';

const definition = '{"name":"open","description":"Opens the box","inputSchema":{"type":"object"}}';

export async function boxed(database: Queryable): Promise<void> {
  const hash = createHash('sha256').update(definition).digest('hex');
  await database.query(
    `insert into tools (server, name, position, definition, hash) values ('boxed', 'open', 1, $1, $2)`,
    [definition, hash],
  );
  await database.query(
    `insert into containers (server, container_id, config_hash) values ('boxed', repeat('c0ffee', 10), 'made-up')`,
  );
  await database.query(
    `insert into container_owner (process_id, url, token, expires_at)
     values ('a-process-that-ended', 'http://127.0.0.1:9', 'made-up', now())`,
  );
  await database.query(
    `insert into unfinished_registrations (id, installation, secrets)
     values ('cut-short', 'another installation', '{SHARED_KEY}')`,
  );
}
