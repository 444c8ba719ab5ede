import type { Bus } from '../../events/bus.ts';
import type { Log } from '../../log.ts';
import type { GroupEntry } from '../groups.ts';
import type { ParsedGroup } from './parse-group.ts';

/**
 * The last good version of every group; publishes its changes. The result of a read is dropped when something newer was
 * stored since the read began, so a watcher that read just before a write cannot bring the old content back.
 */
export interface GroupCache {
  names(): readonly string[];
  read(name: string): GroupEntry | undefined;
  /** Stores the parsed file (undefined: no such file) and publishes `group` when that is a change. */
  store(name: string, found: ParsedGroup | undefined): void;
  /** Reads the group's file again and stores it. */
  refresh(name: string): Promise<void>;
  /**
   * Stores what was read of all these files at once, so that nobody sees some of them older than others.
   * @param read Undefined: the files were exchanged meanwhile, and are read again.
   */
  refreshTogether(
    names: readonly string[],
    read: (names: readonly string[]) => Promise<ReadonlyMap<string, ParsedGroup | undefined> | undefined>,
  ): Promise<void>;
}

export interface GroupCacheDeps {
  readonly readGroup: (name: string) => Promise<ParsedGroup | undefined>;
  readonly bus: Bus;
  readonly log: Log;
}

export function createGroupCache({ readGroup, bus, log }: GroupCacheDeps): GroupCache {
  const entries = new Map<string, GroupEntry>();
  const versions = new Map<string, number>();

  function store(name: string, found: ParsedGroup | undefined): void {
    versions.set(name, (versions.get(name) ?? 0) + 1);
    const previous = entries.get(name);
    const entry = found && toEntry(found, previous);
    if (isSame(previous, entry)) return;
    if (entry) entries.set(name, entry);
    else entries.delete(name);
    report(log, name, previous, entry);
    bus.publish({ type: 'group', name });
  }

  async function refresh(name: string): Promise<void> {
    for (;;) {
      const before = versions.get(name);
      const found = await readGroup(name);
      if (versions.get(name) === before) return store(name, found);
    }
  }

  async function refreshTogether(
    names: readonly string[],
    read: Parameters<GroupCache['refreshTogether']>[1],
  ): Promise<void> {
    for (let left = names; left.length > 0; ) {
      const before = new Map(left.map((name) => [name, versions.get(name)]));
      const found = await read(left);
      if (found === undefined) continue;
      const isCurrent = (name: string) => versions.get(name) === before.get(name);
      const current = left.filter(isCurrent);
      left = left.filter((name) => !isCurrent(name));
      for (const name of current) store(name, found.get(name));
    }
  }

  return {
    names: () => [...entries.keys()].sort(),
    read: (name) => entries.get(name),
    store,
    refresh,
    refreshTogether,
  };
}

function toEntry(found: ParsedGroup, previous: GroupEntry | undefined): GroupEntry {
  if ('group' in found) return { group: found.group, problem: undefined };
  return { group: found.lastGood ?? previous?.group, problem: found.problem };
}

function isSame(one: GroupEntry | undefined, other: GroupEntry | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.problem === other.problem &&
    one.group?.etag === other.group?.etag &&
    one.group?.isReadOnly === other.group?.isReadOnly
  );
}

function report(log: Log, group: string, before: GroupEntry | undefined, now: GroupEntry | undefined): void {
  if (now === undefined) log.info({ group }, 'group removed');
  else if (now.problem !== undefined) {
    log.warn(
      { group, problem: now.problem, serves: now.group ? 'last good version' : 'nothing' },
      'group broken',
    );
  } else if (before === undefined) log.info({ group }, 'group found');
  else if (before.problem !== undefined) log.info({ group }, 'group repaired');
}
