import { isTryOutName } from '../container-names.ts';
import type { ContainerFacts, Containers } from '../containers.ts';
import { type ContainerRows, hasRun } from './container-rows.ts';
import type { VolumeRow, VolumeRows } from './volume-rows.ts';

/**
 * Removes containers of ours that are not needed: left by a service that ended midway, of removed servers, of ended
 * sessions, and the remains of replaced ones. Containers of a server that is not listed, but whose image is pinned, are
 * only stopped: the config is missing, but the server was never removed. A container that has run and has no row comes
 * from a lost database: a listed server adopts it, any other is stopped. Rows of missing containers are deleted too.
 */
export interface ReapOptions {
  readonly containers: Pick<Containers, 'list' | 'stop'>;
  readonly rows: ContainerRows;
  /** In use, or about to be used. */
  readonly isNeeded: (facts: ContainerFacts) => boolean;
  /** Replaced by a container that has not answered yet. */
  readonly isWaiting: (facts: ContainerFacts) => boolean;
  /** Stores a row for the container's server, unless the container is gone. */
  readonly takeOver: (facts: ContainerFacts) => Promise<void>;
  /** Removes the container and its row; false when it is needed again. */
  readonly discard: (facts: ContainerFacts) => Promise<boolean>;
  readonly listed: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  readonly isSession: ((id: string) => Promise<boolean>) | undefined;
}

/** Resolves with the names of the removed containers. */
export async function reapContainers({
  containers,
  rows,
  isNeeded,
  isWaiting,
  takeOver,
  discard,
  ...wanted
}: ReapOptions): Promise<string[]> {
  const storedBefore = rows.all();
  const present = await containers.list();
  const ids = new Set(present.map(({ id }) => id));
  for (const { id } of storedBefore) if (!ids.has(id)) await rows.remove(id);
  const removed: string[] = [];
  for (const facts of present) {
    if (isNeeded(facts) || (await isTakenOver(facts)) || (await belongs(facts))) continue;
    if (isKept(facts)) await stopRunning(facts);
    else if (await discard(facts)) removed.push(facts.name);
  }
  return removed;

  async function stopRunning({ id, status }: ContainerFacts): Promise<void> {
    if (status !== 'exited') await containers.stop(id);
  }

  function isKept(facts: ContainerFacts): boolean {
    const isUnknown = wanted.pinned.has(facts.server) || rows.find(facts.id) === undefined;
    return !wanted.listed.has(facts.server) && isUnknown && hasRun(facts);
  }

  async function isTakenOver(facts: ContainerFacts): Promise<boolean> {
    const { server } = facts;
    const hasOther = rows.of(server).some(({ sessionId }) => sessionId === undefined);
    if (!wanted.listed.has(server) || hasOther || !hasRun(facts)) return false;
    await takeOver(facts);
    return true;
  }

  async function belongs(facts: ContainerFacts): Promise<boolean> {
    const { id, name, server, sessionId } = facts;
    if (!wanted.listed.has(server) || isTryOutName(name) || rows.find(id) === undefined) return false;
    if (isWaiting(facts)) return true;
    if (sessionId !== undefined) return wanted.isSession === undefined || (await wanted.isSession(sessionId));
    const inUse = present.some(
      (other) => other.server === server && !other.sessionId && !isTryOutName(other.name) && isNeeded(other),
    );
    return !inUse;
  }
}

/**
 * Removes volumes of ours that are not needed: of ended sessions, of servers that are neither listed nor pinned (an
 * interrupted provision or DELETE), and of candidates. A volume that a container uses stays, since the engine would
 * refuse. So does one without a row: rows are written before volumes and deleted after them, so that such a volume
 * comes from a lost database.
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

/** Resolves with the names of the removed volumes. */
export async function reapVolumes(options: ReapVolumesOptions): Promise<string[]> {
  const { containers, rows, isMakingFor, listed, pinned, isSession } = options;
  const removed: string[] = [];
  // In this order: a volume that is created in between has a row, or is not in the list.
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
