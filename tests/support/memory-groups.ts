import type { Bus } from '../../lib/events/bus.ts';
import { parseGroup } from '../../lib/groups/files/parse-group.ts';
import type { GroupEntry, Groups } from '../../lib/groups/groups.ts';

/** What a group's file holds besides its name; `included_tools` alone as a list. */
export type GroupContent = readonly string[] | Readonly<Record<string, unknown>>;

export interface MemoryGroups extends Pick<Groups, 'isLoaded' | 'names' | 'read'> {
  setLoaded(isLoaded: boolean): void;
  /** As if the group's file had been written by hand. */
  write(name: string, content: GroupContent): void;
  /** As if its file had been broken: the last good version stays. */
  breakFile(name: string, problem: string): void;
  /** As if its file had been removed. */
  forget(name: string): void;
}

/** Groups without files, read by the real parser. Changing them through the API is not part of it. */
export function createMemoryGroups(bus: Bus): MemoryGroups & Groups {
  const entries = new Map<string, GroupEntry>();
  let isLoaded = true;

  function put(name: string, entry: GroupEntry): void {
    entries.set(name, entry);
    bus.publish({ type: 'group', name });
  }

  return {
    isLoaded: () => isLoaded,
    setLoaded: (loaded) => {
      isLoaded = loaded;
    },
    names: () => [...entries.keys()].sort(),
    read: (name) => entries.get(name),
    write(name, content) {
      const fields = Array.isArray(content)
        ? { included_tools: content }
        : { included_tools: [], ...content };
      const text = JSON.stringify({ name, ...fields });
      const parsed = parseGroup(name, { text, etag: `"${text.length}"`, modifiedAt: new Date(0) });
      if ('problem' in parsed) throw new Error(`The test's group is unusable: ${parsed.problem}`);
      put(name, { group: parsed.group, problem: undefined });
    },
    breakFile: (name, problem) => put(name, { group: entries.get(name)?.group, problem }),
    forget(name) {
      entries.delete(name);
      bus.publish({ type: 'group', name });
    },
    create: notHere,
    change: notHere,
    remove: notHere,
    rename: notHere,
    renamedTo: () => undefined,
    close: async () => {},
  };
}

function notHere(): never {
  throw new Error('These groups change only through write(), breakFile() and forget().');
}
