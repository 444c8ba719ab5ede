import type { Queryable } from '../../database/database.ts';

/**
 * Table `image_offers`: the latest answers of registries about servers' images, the times of the next checks, and the
 * available updates. Times are the database's: one clock for all processes, independent of changes to a host's clock.
 */
export interface AvailableUpdates {
  all(): Promise<ReadonlyMap<string, AvailableUpdateRow>>;
  /** Resolves with the stored update. Rejects when the server's image is not pinned (any more). */
  write(change: AvailableUpdateChange): Promise<AvailableUpdateRow>;
}

/** A newer image that a server could be updated to. */
export interface AvailableUpdate extends AvailableDigests {
  /** As in the config. */
  readonly reference: string;
  readonly seenAt: Date;
}

/** `sha256:…`, the registry's digest where there is one, else the engine's id. */
export interface AvailableDigests {
  readonly oldDigest: string;
  readonly newDigest: string;
}

interface Known {
  readonly server: string;
  readonly reference: string;
  /** The latest digest from the registry. */
  readonly registryDigest: string | undefined;
}

export interface AvailableUpdateRow extends Known {
  /** The next check is due. */
  readonly isDue: boolean;
  readonly availableUpdate: AvailableUpdate | undefined;
}

export interface AvailableUpdateChange extends Known {
  readonly offered: AvailableDigests | undefined;
  /** Undefined: unchanged since the last answer. */
  readonly askInMs: number | undefined;
}

interface StoredUpdate {
  readonly server: string;
  readonly reference: string;
  readonly registry_digest: string | null;
  readonly is_due: boolean;
  readonly old_digest: string | null;
  readonly new_digest: string | null;
  readonly seen_at: Date | null;
}

const columns =
  'server, reference, registry_digest, old_digest, new_digest, seen_at, ask_at <= now() as is_due';

/** An update that is still available retains the time at which it was first seen. */
const writing = `insert into image_offers as before
    (server, reference, registry_digest, ask_at, old_digest, new_digest, seen_at)
  values ($1, $2, $3, now() + coalesce($4::float8, 0) * interval '1 millisecond', $5, $6,
    case when $6::text is null then null else now() end)
  on conflict (server) do update set reference = $2, registry_digest = $3, old_digest = $5, new_digest = $6,
    ask_at = case when $4::float8 is null then before.ask_at else excluded.ask_at end,
    seen_at = case when before.old_digest = $5 and before.new_digest = $6 then before.seen_at else excluded.seen_at end
  returning ${columns}`;

export function createAvailableUpdates(database: Queryable): AvailableUpdates {
  return {
    async all() {
      const rows = await database.query<StoredUpdate>(`select ${columns} from image_offers`);
      return new Map(rows.map((row) => [row.server, rowOf(row)]));
    },
    async write({ server, reference, registryDigest, offered, askInMs }) {
      const [row] = await database.query<StoredUpdate>(writing, [
        ...[server, reference, registryDigest ?? null, askInMs ?? null],
        ...[offered?.oldDigest ?? null, offered?.newDigest ?? null],
      ]);
      if (row === undefined) throw new Error('an offer was not stored');
      return rowOf(row);
    },
  };
}

function rowOf(row: StoredUpdate): AvailableUpdateRow {
  const { server, reference, is_due: isDue } = row;
  return {
    server,
    reference,
    registryDigest: row.registry_digest ?? undefined,
    isDue,
    availableUpdate: availableUpdateOf(row),
  };
}

/** Undefined when the row has no update. */
export function availableUpdateOf(
  row: Pick<StoredUpdate, 'reference' | 'old_digest' | 'new_digest' | 'seen_at'>,
): AvailableUpdate | undefined {
  const { reference, old_digest: oldDigest, new_digest: newDigest, seen_at: seenAt } = row;
  if (oldDigest === null || newDigest === null || seenAt === null) return undefined;
  return { reference, oldDigest, newDigest, seenAt };
}
