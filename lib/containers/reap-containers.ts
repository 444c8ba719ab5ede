import type { ContainerRows } from './container-rows.ts';
import type { ContainerFacts, Containers } from './containers.ts';

/**
 * Removes containers of ours that nobody needs: left by a service that ended midway, of servers that were removed, of
 * sessions that are over, and what is left of a server that was replaced. Rows of containers that are gone go too.
 */
export interface ReapOptions {
  readonly containers: Pick<Containers, 'list'>;
  readonly rows: ContainerRows;
  /** In use, or about to be. */
  readonly isNeeded: (facts: ContainerFacts) => boolean;
  /** Removes it and forgets it; false when it has come to be needed meanwhile. */
  readonly discard: (facts: ContainerFacts) => Promise<boolean>;
  readonly listed: ReadonlySet<string>;
  readonly isSession: ((id: string) => Promise<boolean>) | undefined;
}

/** Resolves with the names of those it removed. */
export async function reapContainers({
  containers,
  rows,
  isNeeded,
  discard,
  ...wanted
}: ReapOptions): Promise<string[]> {
  const storedBefore = rows.all();
  const present = await containers.list();
  const ids = new Set(present.map(({ id }) => id));
  for (const { id } of storedBefore) if (!ids.has(id)) await rows.remove(id);
  const removed: string[] = [];
  for (const facts of present) {
    if (isNeeded(facts) || (await belongs(facts))) continue;
    if (await discard(facts)) removed.push(facts.name);
  }
  return removed;

  async function belongs({ id, server, sessionId }: ContainerFacts): Promise<boolean> {
    if (!wanted.listed.has(server) || rows.find(id) === undefined) return false;
    if (sessionId !== undefined) return wanted.isSession === undefined || (await wanted.isSession(sessionId));
    const inUse = present.some((other) => other.server === server && !other.sessionId && isNeeded(other));
    return !inUse;
  }
}
