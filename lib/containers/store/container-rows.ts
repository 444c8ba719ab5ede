import type { Queryable } from '../../database/database.ts';
import { isTryOutName } from '../container-names.ts';
import type { ContainerFacts, Containers } from '../containers.ts';

/**
 * Table `containers`: the ids of our containers, and the server of each. Cached in memory, so reading needs no database;
 * `load` reads what a process that owned the containers before this one has stored.
 */
export interface ContainerRow {
  readonly id: string;
  readonly server: string;
  readonly sessionId: string | undefined;
  readonly configHash: string;
}

export interface ContainerRows {
  load(): Promise<void>;
  all(): readonly ContainerRow[];
  of(server: string): readonly ContainerRow[];
  find(id: string): ContainerRow | undefined;
  add(row: ContainerRow): Promise<void>;
  remove(id: string): Promise<void>;
}

interface StoredRow {
  readonly container_id: string;
  readonly server: string;
  readonly session_id: string;
  readonly config_hash: string;
}

export function createContainerRows(database: Queryable): ContainerRows {
  const rows = new Map<string, ContainerRow>();
  /** Changes since the pending load began, whose answer may be older. */
  const added = new Set<string>();
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    added.clear();
    const stored = await database.query<StoredRow>(
      'select container_id, server, session_id, config_hash from containers order by created_at',
    );
    for (const id of rows.keys()) if (!added.has(id)) rows.delete(id);
    for (const { container_id: id, server, session_id, config_hash: configHash } of stored) {
      rows.set(id, { id, server, sessionId: session_id === '' ? undefined : session_id, configHash });
    }
  }

  return {
    load() {
      loading ??= load().finally(() => {
        loading = undefined;
      });
      return loading;
    },
    all: () => [...rows.values()],
    of: (server) => [...rows.values()].filter((row) => row.server === server),
    find: (id) => rows.get(id),
    async add(row) {
      await database.query(
        'insert into containers (container_id, server, session_id, config_hash) values ($1, $2, $3, $4) on conflict do nothing',
        [row.id, row.server, row.sessionId ?? '', row.configHash],
      );
      rows.set(row.id, row);
      added.add(row.id);
    },
    async remove(id) {
      rows.delete(id);
      // The container is gone, so that a stale row is detected at its next use.
      await database.query('delete from containers where container_id = $1', [id]).catch(() => {});
    },
  };
}

/** Whether the container may hold data of a server's shared container. */
export function hasRun({ name, sessionId, status }: ContainerFacts): boolean {
  return sessionId === undefined && status !== 'created' && !isTryOutName(name);
}

/** Gives a server without a row its containers from a lost database: a container that has run always had a row. */
export async function takeOverLeft(
  { containers, rows }: { readonly containers: Pick<Containers, 'list'>; readonly rows: ContainerRows },
  server: string,
): Promise<void> {
  const left = (await containers.list()).filter((facts) => facts.server === server && hasRun(facts));
  for (const { id, configHash } of left) {
    if (rows.find(id) === undefined) await rows.add({ id, server, sessionId: undefined, configHash });
  }
}
