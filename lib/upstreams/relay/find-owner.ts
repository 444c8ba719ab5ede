import type { RelayOwner } from './remote-upstreams.ts';

/**
 * Where the owner of the containers is, read from the database when it was of no use the last time, or when there was
 * none a moment ago. Asked for at every relayed call; an owner that is back is found within `noneForMs`.
 */
export function createFindOwner(options: {
  readonly read: () => Promise<RelayOwner | undefined>;
  readonly now: () => number;
  readonly noneForMs?: number;
}): (useless?: RelayOwner) => Promise<RelayOwner | undefined> {
  const { read, now, noneForMs = 250 } = options;
  let known: RelayOwner | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  /** Calls that come together share one look. While the database is away, the one that was known may still be it. */
  async function look(): Promise<void> {
    reading ??= read()
      .then((found) => {
        known = found;
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
    if (isUseless || isOldNone) await look();
    return useless !== undefined && isSame(known, useless) ? undefined : known;
  };
}

function isSame(one: RelayOwner | undefined, other: RelayOwner): boolean {
  return one?.url === other.url && one.token === other.token;
}
