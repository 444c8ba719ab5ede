import { Failure } from '../../failure.ts';
import { sameList, sameLists } from '../group-lists.ts';
import type { Group, GroupChange } from '../groups.ts';
import { formatGroup, type ParsedGroup, parseGroup, withChange } from './parse-group.ts';

/**
 * Edits of group files, and their group commit: edits of one group that arrive while a batch is being written wait, and
 * share the next write. Batches of one group never overlap.
 */
export interface PendingEdit {
  readonly edit: GroupEdit;
  resolve(group: Group): void;
  reject(error: unknown): void;
}

/**
 * Writes one batch: calls `dequeue` once it holds the lock, and resolves or rejects every edit of the batch. Rejects,
 * with all edits still waiting, when it could not begin.
 */
export type WriteBatch = (name: string, dequeue: () => readonly PendingEdit[]) => Promise<void>;

export interface EditQueue {
  add(name: string, edit: GroupEdit): Promise<Group>;
  /** Resolves when no edit is pending. */
  idle(): Promise<void>;
}

export function createEditQueue(writeBatch: WriteBatch): EditQueue {
  const waiting = new Map<string, PendingEdit[]>();
  const drains = new Map<string, Promise<void>>();

  function add(name: string, edit: GroupEdit): Promise<Group> {
    return new Promise((resolve, reject) => {
      const pending: PendingEdit = { edit, resolve, reject };
      const queue = waiting.get(name);
      if (queue) queue.push(pending);
      else {
        waiting.set(name, [pending]);
        drains.set(name, drain(name));
      }
    });
  }

  async function drain(name: string): Promise<void> {
    const dequeue = () => waiting.get(name)?.splice(0) ?? [];
    while (waiting.get(name)?.length) {
      await writeBatch(name, dequeue).catch((error) => {
        for (const pending of dequeue()) pending.reject(error);
      });
    }
    waiting.delete(name);
    drains.delete(name);
  }

  return {
    add,
    async idle() {
      await Promise.all(drains.values());
    },
  };
}

/** Computes the change; may run several times when the file changes meanwhile, so it has no effects. */
export type GroupEdit = (group: Group) => GroupChange;

/** The group after one edit, or why the edit failed. */
export type EditOutcome = { readonly group: Group } | { readonly error: unknown };

export interface EditedGroup {
  /** After all edits that succeeded; the very same object when nothing changed. */
  readonly group: Group;
  readonly outcomes: readonly EditOutcome[];
}

/**
 * Applies the edits in the order of their arrival, each to the result of the one before. An edit that fails does not
 * affect the others.
 */
export function applyEdits(
  group: Group,
  edits: readonly GroupEdit[],
  etagOf: (text: string) => string,
): EditedGroup {
  let current = group;
  const outcomes = edits.map((edit): EditOutcome => {
    try {
      current = applyEdit(current, edit, etagOf);
      return { group: current };
    } catch (error) {
      return { error };
    }
  });
  return { group: current, outcomes };
}

function applyEdit(group: Group, edit: GroupEdit, etagOf: (text: string) => string): Group {
  const change = edit(group);
  if (isSame(group, change)) return group;
  const text = formatGroup(withChange(group, change));
  return usable(parseGroup(group.name, { text, etag: etagOf(text), modifiedAt: new Date() }));
}

function isSame(group: Group, change: GroupChange): boolean {
  const { description = group.description, exposedNames = group.exposedNames } = change;
  const { includedPrompts = group.includedPrompts ?? [] } = change;
  return (
    sameLists(group, change) &&
    sameList(includedPrompts, group.includedPrompts ?? []) &&
    description === group.description &&
    exposedNames.size === group.exposedNames.size &&
    [...exposedNames].every(([tool, name]) => group.exposedNames.get(tool) === name)
  );
}

/** Refuses to write a file that would be unusable, such as one with two equal visible names. */
export function usable(parsed: ParsedGroup): Group {
  if ('group' in parsed) return parsed.group;
  throw new Failure('conflict', `The change would make the group's file unusable. ${parsed.problem}`);
}
