import type { Database } from '../../database/database.ts';
import type { Bus } from '../../events/bus.ts';
import { toFailure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import { lockGroup } from '../files/group-lock.ts';
import type { GroupFiles } from '../files/node-group-files.ts';
import type { GroupEntry } from '../groups.ts';
import { type CopyVersion, deleteCopy, readCopyVersions, writeCopy } from './group-copy-rows.ts';

/**
 * Keeps the rows of `group_copies` equal to the group files, for gateways without a folder (docs/decisions/0029). The
 * files are the truth: each copy is made inside the group's lock from the file as it is then, so that of several managers
 * the last to copy has the last version. While the database is away, changes wait, each group once.
 */
export interface GroupCopier {
  /** Repairs all copies now and every 30 s, and from now on copies every change. Call when the groups are loaded and the schema exists. */
  start(): void;
  /** Resolves when every change so far is copied, or could not be. */
  close(): Promise<void>;
}

export interface GroupCopierDeps {
  readonly database: Pick<Database, 'query' | 'transaction'>;
  readonly groups: Pick<GroupFiles, 'names' | 'read' | 'refresh'>;
  readonly bus: Pick<Bus, 'subscribe' | 'onGap' | 'publish'>;
  readonly log: Log;
  readonly retryMs?: number;
  /** How often all copies are compared: a database that is restored from a dump in place sends no message. */
  readonly compareEveryMs?: number;
}

export function createGroupCopier(deps: GroupCopierDeps): GroupCopier {
  const { database, groups, bus, log, retryMs = 1000, compareEveryMs = 30_000 } = deps;
  /** Names of groups whose copy may be old, in the order of their changes. */
  const waiting = new Set<string>();
  let mayBeDamaged = false;
  let isAway = false;
  let isClosed = false;
  let copying: Promise<void> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const leave: (() => void)[] = [];

  async function copyWaiting(): Promise<void> {
    if (mayBeDamaged) await findDifferences();
    for (const name of waiting) {
      await copy(name);
      bus.publish({ type: 'group_copy', name });
    }
    if (isAway) log.info({}, 'The copies of the groups are up to date again.');
    isAway = false;
  }

  /** A copy that is gone or altered, such as by a restored database, is made again. */
  async function findDifferences(): Promise<void> {
    const copies = new Map((await readCopyVersions(database)).map((copy) => [copy.name, copy]));
    for (const name of new Set([...groups.names(), ...copies.keys()])) {
      if (!isEqual(copies.get(name), groups.read(name))) waiting.add(name);
    }
    mayBeDamaged = false;
  }

  /** A change during the copy makes the name wait again, so it leaves the waiting ones first. */
  async function copy(name: string): Promise<void> {
    waiting.delete(name);
    try {
      await database.transaction(async (transaction) => {
        await lockGroup(transaction, name);
        await groups.refresh(name);
        const entry = groups.read(name);
        if (entry === undefined) await deleteCopy(transaction, name);
        else await writeCopy(transaction, name, entry);
      });
    } catch (error) {
      waiting.add(name);
      throw error;
    }
  }

  function copySoon(): void {
    if (copying !== undefined || retry !== undefined) return;
    copying = copyWaiting()
      .catch(tryAgain)
      .finally(() => {
        copying = undefined;
        if (waiting.size > 0 || mayBeDamaged) copySoon();
      });
  }

  function tryAgain(error: unknown): void {
    if (!isAway) log.warn({ reason: toFailure(error).code }, 'Copies of groups wait for the database.');
    isAway = true;
    if (isClosed) {
      waiting.clear();
      mayBeDamaged = false;
      return;
    }
    retry = setTimeout(() => {
      retry = undefined;
      copySoon();
    }, retryMs);
  }

  function repair(): void {
    mayBeDamaged = true;
    copySoon();
  }

  return {
    start() {
      leave.push(
        bus.subscribe(({ type, name }, origin) => {
          if (type !== 'group' || origin === 'remote') return;
          waiting.add(name);
          copySoon();
        }),
        bus.onGap(repair),
      );
      const comparing = setInterval(repair, compareEveryMs);
      leave.push(() => clearInterval(comparing));
      repair();
    },
    async close() {
      isClosed = true;
      for (const each of leave) each();
      clearTimeout(retry);
      while (copying !== undefined) await copying;
    },
  };
}

/** An unusable file without a last good version keeps the one that was copied. */
function isEqual(copy: CopyVersion | undefined, entry: GroupEntry | undefined): boolean {
  if (copy === undefined || entry === undefined) return copy === entry;
  const isSameVersion = entry.group === undefined || entry.group.etag === copy.etag;
  return isSameVersion && copy.problem === entry.problem;
}
