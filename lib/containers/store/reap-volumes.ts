import { isTryOutName } from '../container-names.ts';
import type { Containers } from '../containers.ts';
import type { VolumeRow, VolumeRows } from './volume-rows.ts';

/**
 * Removes volumes of ours that nobody needs: of sessions that are over, of servers that are neither listed nor pinned
 * (a provision or a DELETE that was cut short), and what try-outs left. One that a container has is left alone, since
 * the engine would refuse anyway, and so is one without a row: rows come before volumes and go after them, so that it is
 * of a database that was lost.
 */
export interface ReapVolumesOptions {
  readonly containers: Pick<Containers, 'list' | 'volumes' | 'removeVolume'>;
  readonly rows: VolumeRows;
  readonly listed: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  /** A container or volume of this server is being made. */
  readonly isMakingFor: (server: string) => boolean;
  readonly isSession: ((id: string) => Promise<boolean>) | undefined;
}

/** Resolves with the names of those it removed. */
export async function reapVolumes(options: ReapVolumesOptions): Promise<string[]> {
  const { containers, rows, isMakingFor, listed, pinned, isSession } = options;
  const removed: string[] = [];
  // In this order: a volume that comes in between has a row, or is not looked at.
  const present = await containers.volumes();
  const stored = await rows.all();
  const mounted = new Set(
    (await containers.list()).flatMap(({ mounts }) => mounts.map(({ source }) => source)),
  );
  const isKept = (server: string) => listed.has(server) || pinned.has(server);

  async function isOver({ server, sessionId }: VolumeRow): Promise<boolean> {
    if (!isKept(server)) return true;
    return sessionId !== undefined && isSession !== undefined && !(await isSession(sessionId));
  }

  for (const row of stored) {
    if (mounted.has(row.volume) || isMakingFor(row.server) || !(await isOver(row))) continue;
    await containers.removeVolume(row.volume);
    await rows.remove(row);
    removed.push(row.volume);
  }
  const known = new Set(stored.map(({ volume }) => volume));
  for (const { name, server } of present) {
    const isLeft = !known.has(name) && isTryOutName(name);
    if (!isLeft || mounted.has(name) || isMakingFor(server)) continue;
    await containers.removeVolume(name);
    removed.push(name);
  }
  return removed;
}
