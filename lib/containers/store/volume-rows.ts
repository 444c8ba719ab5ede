import type { Queryable } from '../../database/database.ts';

/** Table `server_volumes`: the volumes that hold a server's data, one for each path (and session). */
export interface VolumeRow {
  readonly server: string;
  readonly sessionId: string | undefined;
  /** The path inside the container. */
  readonly path: string;
  /** The volume's name at the engine. */
  readonly volume: string;
  /** The hash of the data's origin (`originHash`). */
  readonly origin: string;
}

export interface VolumeRows {
  of(server: string): Promise<readonly VolumeRow[]>;
  all(): Promise<readonly VolumeRow[]>;
  /** Resolves also when the row exists. */
  add(row: VolumeRow): Promise<void>;
  remove(row: Pick<VolumeRow, 'server' | 'sessionId' | 'path'>): Promise<void>;
}

interface StoredVolume {
  readonly server: string;
  readonly session_id: string;
  readonly path: string;
  readonly volume: string;
  readonly origin: string;
}

const columns = 'server, session_id, path, volume, origin';

export function createVolumeRows(database: Queryable): VolumeRows {
  return {
    async of(server) {
      const rows = await database.query<StoredVolume>(
        `select ${columns} from server_volumes where server = $1 order by session_id, path`,
        [server],
      );
      return rows.map(rowOf);
    },
    async all() {
      const rows = await database.query<StoredVolume>(
        `select ${columns} from server_volumes order by server, session_id, path`,
      );
      return rows.map(rowOf);
    },
    async add({ server, sessionId, path, volume, origin }) {
      await database.query(
        `insert into server_volumes (${columns}) values ($1, $2, $3, $4, $5)
         on conflict (server, session_id, path) do update set volume = $4, origin = $5`,
        [server, sessionId ?? '', path, volume, origin],
      );
    },
    async remove({ server, sessionId, path }) {
      await database.query('delete from server_volumes where server = $1 and session_id = $2 and path = $3', [
        server,
        sessionId ?? '',
        path,
      ]);
    },
  };
}

function rowOf({ session_id: sessionId, server, path, volume, origin }: StoredVolume): VolumeRow {
  return { server, sessionId: sessionId === '' ? undefined : sessionId, path, volume, origin };
}
