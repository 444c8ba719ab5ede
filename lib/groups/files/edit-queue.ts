import type { Group } from '../groups.ts';
import type { GroupEdit } from './apply-edits.ts';

/**
 * Group commit: edits of one group that arrive while a batch is being written wait, and share the next write.
 * Batches of one group never overlap.
 */
export interface PendingEdit {
  readonly edit: GroupEdit;
  resolve(group: Group): void;
  reject(error: unknown): void;
}

/**
 * Writes one batch: calls `take` once it holds the lock, settles every edit it took, and rejects, having
 * settled none, when it could not begin.
 */
export type WriteBatch = (name: string, take: () => readonly PendingEdit[]) => Promise<void>;

export interface EditQueue {
  add(name: string, edit: GroupEdit): Promise<Group>;
  /** Resolves when nothing waits any more. */
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
    const take = () => waiting.get(name)?.splice(0) ?? [];
    while (waiting.get(name)?.length) {
      await writeBatch(name, take).catch((error) => {
        for (const pending of take()) pending.reject(error);
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
