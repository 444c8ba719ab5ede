import { createLate, type Late } from '../../async/late.ts';
import type { StoredEvent, StoredStream } from './event-log.ts';

/** The events to write of one stream, all of them or none. */
export interface StreamWrite {
  readonly stream: StoredStream;
  /** In order. Empty: the stream is only opened. */
  readonly events: readonly StoredEvent[];
  /** Events before this one are dropped; 0: no more than before. */
  readonly keepFrom: number;
}

/**
 * Batches events by stream: while one statement is under way the rest waits, and is written together afterwards. Events
 * that were dropped by then are never written, so a burst costs only its remainder.
 */
export interface EventQueue {
  /** False, now or later: not stored, since too much waits or the database is away. */
  add(stream: StoredStream, event?: StoredEvent): Promise<boolean>;
  /** Resolves when the queue is empty: all of it is stored, or given up. */
  flush(): Promise<void>;
}

export interface EventQueueOptions {
  readonly write: (writes: readonly StreamWrite[]) => Promise<void>;
  readonly mostEventsPerWrite: number;
  readonly mostWaitingCharacters: number;
  /** An error that would meet every other stream too: those that wait are given up at once. */
  readonly isGeneral: (error: unknown) => boolean;
}

interface Waiting extends StreamWrite {
  readonly events: StoredEvent[];
  keepFrom: number;
  /** One promise for all that is written together: bursts are thousands of events. */
  readonly isStored: Late<boolean>;
  characters: number;
}

/** Counted for an event beside its text. */
const overheadCharacters = 256;
const refused = Promise.resolve(false);

export function createEventQueue(options: EventQueueOptions): EventQueue {
  const { write, mostEventsPerWrite, mostWaitingCharacters, isGeneral } = options;
  const waiting = new Map<string, Waiting>();
  /** Waiting and being written. */
  let characters = 0;
  let writing: Promise<void> | undefined;

  function waitingFor(stream: StoredStream): Waiting {
    const found = waiting.get(stream.id);
    if (found !== undefined) return found;
    const created = { stream, events: [], keepFrom: 0, characters: 0, isStored: createLate<boolean>() };
    waiting.set(stream.id, created);
    return created;
  }

  function count(one: Waiting, size: number): void {
    one.characters += size;
    characters += size;
  }

  function dropBefore(one: Waiting, seq: number): void {
    const firstStored = one.events.findIndex((event) => event.seq >= seq);
    for (const event of one.events.splice(0, firstStored)) count(one, -sizeOf(event));
  }

  function complete(some: Iterable<Waiting>, isStored: boolean): void {
    for (const one of some) {
      characters -= one.characters;
      one.isStored.set(isStored);
    }
  }

  /** At least one stream; streams are not split. */
  function dequeue(): Waiting[] {
    const batch: Waiting[] = [];
    let events = 0;
    for (const [id, one] of waiting) {
      events += Math.max(1, one.events.length);
      if (batch.length > 0 && events > mostEventsPerWrite) break;
      waiting.delete(id);
      batch.push(one);
    }
    return batch;
  }

  async function drain(): Promise<void> {
    while (waiting.size > 0) await writeSome(dequeue());
    writing = undefined;
  }

  async function writeSome(some: readonly Waiting[]): Promise<void> {
    try {
      await write(some);
      complete(some, true);
    } catch (error) {
      if (!isGeneral(error) && some.length > 1) {
        // One stream that cannot be written must not fail its neighbours: each is tried by itself.
        for (const one of some) await writeSome([one]);
        return;
      }
      complete(some, false);
      if (!isGeneral(error)) return;
      complete(waiting.values(), false);
      waiting.clear();
    }
  }

  return {
    add(stream, event) {
      const size = event === undefined ? 0 : sizeOf(event);
      if (characters > 0 && characters + size > mostWaitingCharacters) return refused;
      const one = waitingFor(stream);
      if (event !== undefined) {
        one.events.push(event);
        count(one, size);
        if (event.keepFrom > 0) {
          one.keepFrom = event.keepFrom;
          dropBefore(one, event.keepFrom);
        }
      }
      writing ??= drain();
      return one.isStored.promise;
    },
    flush: async () => await writing,
  };
}

function sizeOf({ message }: StoredEvent): number {
  return message.length + overheadCharacters;
}
