/**
 * Changes of lists that a client may have missed while it had no stream, including those from before this process
 * watched the group. A superfluous notification costs a client one listing, a missing one leaves a wrong list
 * (docs/protocol.md, rule 43).
 */
export interface MissedChanges {
  /** From now on every change of the group's lists is recorded. */
  watch(group: string): void;
  record(group: string, message: string): void;
  /** @param seconds The age of the client's last message; undefined: unknown. */
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
    record(group, message) {
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
