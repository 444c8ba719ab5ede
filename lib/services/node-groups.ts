import type { ClosingStack } from '../async/closing-stack.ts';
import type { Database } from '../database/database.ts';
import type { Bus } from '../events/bus.ts';
import { createCopiedGroups } from '../groups/copies/copied-groups.ts';
import { createGroupCopier } from '../groups/copies/copy-groups.ts';
import { createGroupLock } from '../groups/files/group-lock.ts';
import { createGroupFiles } from '../groups/files/node-group-files.ts';
import type { Groups } from '../groups/groups.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings/settings.ts';

/** The groups of this process, and where they come from. Steps that do not concern it do nothing. */
export interface OpenGroups {
  readonly groups: Groups;
  loadFromFiles(): Promise<void>;
  /** The schema exists. May be called again after a failure. */
  loadFromDatabase(): Promise<void>;
  /** From now on other processes find every change in the database. */
  copyToDatabase(): void;
}

const nothing = async () => {};

interface Dependencies {
  readonly database: Database;
  readonly bus: Bus;
  readonly closing: ClosingStack;
  readonly log: Log;
}

/** Copies for a process without folders, else files, which a manager copies (docs/decisions/0029). */
export function openGroups(settings: Settings, { database, bus, closing, log }: Dependencies): OpenGroups {
  if (settings.isFolderless) {
    const groups = createCopiedGroups({ database, bus, log });
    closing.add('groups', groups.close);
    return { groups, loadFromFiles: nothing, loadFromDatabase: groups.load, copyToDatabase() {} };
  }
  const groups = createGroupFiles({
    directory: settings.groupsDir,
    defaultGroup: settings.defaultGroup,
    lock: createGroupLock(database),
    bus,
    log,
  });
  // The embedded database has one process.
  const isCopying = settings.roles.has('manager') && database.kind !== 'pglite';
  const copier = isCopying ? createGroupCopier({ database, groups, bus, log }) : undefined;
  if (copier) closing.add('copies of groups', copier.close);
  closing.add('groups', groups.close);
  return {
    groups,
    loadFromFiles: groups.load,
    loadFromDatabase: nothing,
    copyToDatabase: () => copier?.start(),
  };
}
