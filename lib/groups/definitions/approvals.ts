import { debounceNames } from '../../async/debounce-names.ts';
import { createMutex } from '../../async/mutex.ts';
import type { Database } from '../../database/database.ts';
import type { Bus } from '../../events/bus.ts';
import { databaseUnavailable, toFailure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import {
  type ApprovedDefinition,
  copyRows,
  type Definitions,
  type Hashes,
  readAllRows,
  readApprovalRows,
  readRow,
  saveNewRows,
  saveRows,
} from './approval-rows.ts';

/**
 * The definition of a tool that a group's owner approved (docs/decisions/0013): the one stored when the tool was
 * switched on or a change was approved, or, after an edit by hand, when the tool was first seen in the file. Always the server's own definition, byte for byte.
 */
export interface Approvals {
  /** Tool name → hash of the approved definition. From memory. */
  approved(group: string): Hashes;
  approve(group: string, tools: Definitions): Promise<void>;
  /** Replaces all approvals of `to` by those of `from`. @throws Failure `database_unavailable`. */
  copy(from: string, to: string): Promise<void>;
  /** The approved definition with its text. @throws Failure `database_unavailable`. */
  find(group: string, tool: string): Promise<ApprovedDefinition | undefined>;
}

/**
 * Approvals in table `accepted_tools`, with a copy of the hashes in memory for all reads. Approvals outlast an outage of
 * the database: they wait in memory and are stored later. Any definition may be approved; callers decide which.
 */
export interface DatabaseApprovals extends Approvals {
  load(): Promise<void>;
  isLoaded(): boolean;
  /** Stores definitions of tools without an approved one; others keep theirs. */
  approveFirstSeen(group: string, tools: Definitions): Promise<void>;
  close(): void;
}

export interface ApprovalsDeps {
  readonly database: Database;
  readonly bus: Bus;
  readonly log: Log;
  /** Delay between a bus message of another process and the read of its rows, which are written by then. */
  readonly remoteDelayMs?: number;
}

const nothing: Hashes = new Map();
const retryMs = 2000;
const none: Definitions = new Map();

export function createApprovals(deps: ApprovalsDeps): DatabaseApprovals {
  const { database, bus, log, remoteDelayMs = 200 } = deps;
  const known = new Map<string, Map<string, string>>();
  const unsaved = new Map<string, Definitions>();
  let loaded = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  // Reads and writes do not overlap, so that no read restores older hashes. A write stores all pending approvals.
  const mutex = createMutex();

  async function save(group: string): Promise<void> {
    const definitions = unsaved.get(group);
    if (definitions === undefined) return;
    unsaved.delete(group);
    try {
      await saveRows(database, group, definitions);
    } catch (error) {
      unsaved.set(group, merge(definitions, unsaved.get(group) ?? none));
      log.debug({ group, reason: toFailure(error).code }, 'accepted tools are not stored yet');
      // A database that is full or read-only recovers without a gap in the bus messages.
      retry ??= setTimeout(() => {
        retry = undefined;
        attempt(mutex(saveAll));
      }, retryMs);
    }
  }

  async function saveAll(): Promise<void> {
    for (const group of [...unsaved.keys()]) await save(group);
  }

  function cache(group: string, stored: Hashes): void {
    known.set(group, merge(stored, hashesOf(unsaved.get(group) ?? none)));
  }

  async function reload(group: string): Promise<void> {
    cache(group, await readApprovalRows(database, group));
  }

  async function reloadAll(): Promise<void> {
    await saveAll();
    const stored = await readAllRows(database);
    for (const group of new Set([...known.keys(), ...stored.keys()])) {
      cache(group, stored.get(group) ?? nothing);
    }
    loaded = true;
  }

  const remotelyChanged = debounceNames(remoteDelayMs, (groups) => {
    for (const group of groups) attempt(mutex(() => reload(group)));
  });
  const unsubscribe = bus.subscribe((busMessage, origin) => {
    if (busMessage.type === 'group' && origin === 'remote') remotelyChanged.add(busMessage.name);
  });
  const unsubscribeGaps = bus.onGap(() => attempt(mutex(reloadAll)));

  function attempt(work: Promise<void>): void {
    work.catch((error) => log.warn({ reason: toFailure(error).code }, 'accepted tools could not be read'));
  }

  return {
    load: () => mutex(reloadAll),
    isLoaded: () => loaded,
    approved: (group) => known.get(group) ?? nothing,
    async approve(group, tools) {
      const before = known.get(group) ?? nothing;
      const fresh = new Map([...tools].filter(([tool, { hash }]) => before.get(tool) !== hash));
      if (fresh.size === 0) return;
      known.set(group, merge(before, hashesOf(fresh)));
      unsaved.set(group, merge(unsaved.get(group) ?? none, fresh));
      await mutex(() => save(group));
    },
    copy: (from, to) =>
      mutex(async () => {
        await save(from);
        if (unsaved.has(from)) throw databaseUnavailable();
        await database.transaction((transaction) => copyRows(transaction, from, to));
        unsaved.delete(to);
        await reload(to);
      }),
    find: (group, tool) =>
      mutex(async () => {
        await save(group);
        return readRow(database, group, tool);
      }),
    approveFirstSeen: (group, tools) =>
      mutex(async () => {
        await saveNewRows(database, group, tools);
        await reload(group);
      }),
    close() {
      clearTimeout(retry);
      remotelyChanged.stop();
      unsubscribe();
      unsubscribeGaps();
    },
  };
}

function hashesOf(definitions: Definitions): Hashes {
  return new Map(Array.from(definitions, ([tool, { hash }]) => [tool, hash]));
}

function merge<Value>(
  older: ReadonlyMap<string, Value>,
  newer: ReadonlyMap<string, Value>,
): Map<string, Value> {
  return new Map([...older, ...newer]);
}
