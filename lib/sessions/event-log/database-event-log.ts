/**
 * The event log as rows. Events are written in the background, in batches and in order; the queue is bounded, so a
 * database that hangs costs events and not memory.
 */
import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/database.ts';
import { toFailure } from '../../failure.ts';
import { type EventLog, expireAfterSeconds, type StoredStream, type StreamReading } from './event-log.ts';
import { createEventQueue, type StreamWrite } from './event-queue.ts';
import { createEventRows, type StreamRow } from './event-rows.ts';

const mostEventsPerWrite = 500;
const mostWaitingCharacters = 8_388_608;
/** Streams known to have a row; long ones are written again, or they would expire while they are used. */
const mostKnown = 10_000;
const knownForMs = (expireAfterSeconds * 1000) / 4;

export function createEventLog({ database }: { readonly database: Pick<Database, 'query'> }): EventLog {
  const rows = createEventRows(database);
  const known = new LRUCache<string, true>({ max: mostKnown, ttl: knownForMs });
  const queue = createEventQueue({ write, mostEventsPerWrite, mostWaitingCharacters, isGeneral: isAway });

  async function write(writes: readonly StreamWrite[]): Promise<void> {
    const fresh = writes.map(({ stream }) => stream).filter(({ id }) => !known.has(id));
    if (fresh.length > 0) await rows.insertStreams(await Promise.all(fresh.map(toRow)));
    const events = writes.flatMap((one) => one.events);
    if (events.length > 0) await rows.insertEvents(events);
    for (const { id } of fresh) known.set(id, true);
    await rows.trim(writes.filter(({ keepFrom }) => keepFrom > 0));
  }

  return {
    open: (stream) => queue.add(stream),
    append: (event) => queue.add(event.stream, event),

    async read(reader, seq): Promise<StreamReading | undefined> {
      const found = await rows.read(reader, seq);
      const [first] = found;
      if (first === undefined) return undefined;
      return {
        events: found.flatMap(({ seq: at, message, is_last: isLast }) =>
          at === null || message === null ? [] : [{ seq: at, message, isLast: isLast === true }],
        ),
        isEnded: first.is_ended,
        fallbackAnswer: first.last_words,
        silentSeconds: first.silent_seconds,
        idleSeconds: first.idle_seconds ?? undefined,
      };
    },

    touch: (streamIds) => rows.touch(streamIds).catch(() => {}),
    flush: queue.flush,
    reap: rows.removeExpired,
  };
}

async function toRow({ id, sessionId, principal, fallbackAnswer }: StoredStream): Promise<StreamRow> {
  return { id, sessionId, principal: await principal, fallbackAnswer };
}

function isAway(error: unknown): boolean {
  return toFailure(error).code === 'database_unavailable';
}
