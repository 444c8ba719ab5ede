import { isTryOutName } from '../container-names.ts';
import type { ContainerFacts, Containers } from '../containers.ts';
import { type ContainerRows, hasRun } from './container-rows.ts';
import type { VolumeRow, VolumeRows } from './volume-rows.ts';

/**
 * Removes containers of ours that are not needed: left by a service that ended midway, of servers that were removed, of
 * sessions that are over, and what is left of a server that was replaced. Those of a server that is not listed, but whose
 * image is pinned, are kept and only stopped: its config is gone, nobody has removed it. One that has run and has no row
 * is of a database that was lost: a listed server takes it over, any other is stopped. Rows of containers that are gone go
 * too.
 */
export interface ReapOptions {
  readonly containers: Pick<Containers, 'list' | 'stop'>;
  readonly rows: ContainerRows;
  /** In use, or about to be. */
  readonly isNeeded: (facts: ContainerFacts) => boolean;
  /** It was replaced by one that has not answered yet. */
  readonly isWaiting: (facts: ContainerFacts) => boolean;
  /** Gives its server a row for it, unless it is gone meanwhile. */
  readonly takeOver: (facts: ContainerFacts) => Promise<void>;
  /** Removes it and forgets it; false when it has come to be needed meanwhile. */
  readonly discard: (facts: ContainerFacts) => Promise<boolean>;
  readonly listed: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  readonly isSession: ((id: string) => Promise<boolean>) | undefined;
}

/** Resolves with the names of those it removed. */
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
 * Removes volumes of ours that are not needed: of sessions that are over, of servers that are neither listed nor pinned
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
