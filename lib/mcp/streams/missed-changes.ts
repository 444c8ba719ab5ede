/**
 * What a client may have missed while it had no stream: lists that changed after the last it was told, or may have,
 * because this process was not watching its group yet. Told too often costs a client one listing, told too rarely
 * leaves it with a list that is wrong (mcp-spec rule 43).
 */
export interface MissedChanges {
  /** From now on this process hears of every change of the group's lists. */
  watch(group: string): void;
  note(group: string, message: string): void;
  /** @param seconds ago the client was told something; undefined: nobody knows. */
  since(group: string, seconds: number | undefined): readonly string[];
}

export interface MissedChangesOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** The notifications of changed lists that sessions of this group get. */
  readonly notifications: (group: string) => readonly string[];
}

export function createMissedChanges({ now, notifications }: MissedChangesOptions): MissedChanges {
  const watchedSince = new Map<string, number>();
  const changedAt = new Map<string, Map<string, number>>();

  return {
    watch(group) {
      if (!watchedSince.has(group)) watchedSince.set(group, now());
    },
    note(group, message) {
      if (!notifications(group).includes(message)) return;
      const changes = changedAt.get(group) ?? new Map<string, number>();
      changedAt.set(group, changes.set(message, now()));
    },
    since(group, seconds) {
      const reportedAt = seconds === undefined ? Number.NEGATIVE_INFINITY : now() - seconds * 1000;
      const watched = watchedSince.get(group);
      if (watched === undefined || watched > reportedAt) return notifications(group);
      return [...(changedAt.get(group) ?? [])]
        .filter(([, at]) => at > reportedAt)
        .map(([message]) => message);
    },
  };
}
