import type { RelayOwner } from './remote-upstreams.ts';

/**
 * Finds the process that takes relayed calls, for every one of them. The database is read when the known process does not
 * answer, or when there was none `noneForMs` ago; and every `knownForMs` behind a call, so that all callers agree on one
 * process after others took its place for a while.
 */
export function createFindOwner(options: {
  readonly read: () => Promise<RelayOwner | undefined>;
  readonly now: () => number;
  readonly noneForMs?: number;
  readonly knownForMs?: number;
}): (useless?: RelayOwner) => Promise<RelayOwner | undefined> {
  const { read, now, noneForMs = 250, knownForMs = 5_000 } = options;
  let known: RelayOwner | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  /**
   * Concurrent calls share one read. While the database is away, the known owner stays.
   * @param whenNone What is known when there is none now: one that answers, but is cut from the database, is of use.
   */
  async function readOwner(whenNone?: RelayOwner): Promise<void> {
    reading ??= read()
      .then((found) => {
        known = found ?? whenNone;
      })
      .catch(() => {})
      .finally(() => {
        readAt = now();
        reading = undefined;
      });
    await reading;
  }

  return async (useless) => {
    const isUseless = useless !== undefined && isSame(known, useless);
    const isOldNone = known === undefined && now() - readAt >= noneForMs;
    if (isUseless || isOldNone) await readOwner();
    else if (now() - readAt >= knownForMs) void readOwner(known);
    return useless !== undefined && isSame(known, useless) ? undefined : known;
  };
}

function isSame(one: RelayOwner | undefined, other: RelayOwner): boolean {
  return one?.url === other.url && one.token === other.token;
}
