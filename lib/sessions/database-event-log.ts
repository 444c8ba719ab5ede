/**
 * The event log as rows. Events are written in batches, in the order in which they came, beside whatever else the
 * process does; what waits is bounded, so a database that hangs costs events and not memory.
 */
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.ts';
import { toFailure } from '../http/failure.ts';
import { createBatcher } from './create-batcher.ts';
import {
  type EventLog,
  expireAfterSeconds,
  type KeptEvent,
  type KeptStream,
  type StreamReading,
} from './event-log.ts';
import { createEventRows, type StreamRow } from './event-rows.ts';

interface Item {
  readonly stream: KeptStream;
  readonly event: KeptEvent | undefined;
}

const mostPerWrite = 500;
const mostWaitingCharacters = 8_388_608;
/** Streams known to have a row; those that go on are written again, or they would expire while they are used. */
const mostKnown = 10_000;
const knownForMs = (expireAfterSeconds * 1000) / 4;

export function createEventLog({ database }: { readonly database: Pick<Database, 'query'> }): EventLog {
  const rows = createEventRows(database);
  const known = new LRUCache<string, true>({ max: mostKnown, ttl: knownForMs });
  const add = createBatcher({ write, mostItems: mostPerWrite, isGeneral: isAway });
  let waitingCharacters = 0;

  async function write(items: readonly Item[]): Promise<void> {
    const fresh = new Map<string, KeptStream>();
    for (const { stream } of items) if (!known.has(stream.id)) fresh.set(stream.id, stream);
    if (fresh.size > 0) await rows.insertStreams(await Promise.all([...fresh.values()].map(toRow)));
    const events = items.flatMap(({ event }) => event ?? []);
    if (events.length > 0) await rows.insertEvents(events);
    for (const id of fresh.keys()) known.set(id, true);
    await rows.trim(events.filter(({ keepFrom }) => keepFrom > 0));
  }

  async function keep(item: Item, characters: number): Promise<boolean> {
    if (waitingCharacters + characters > mostWaitingCharacters && waitingCharacters > 0) return false;
    waitingCharacters += characters;
    try {
      await add(item);
      return true;
    } catch {
      return false;
    } finally {
      waitingCharacters -= characters;
    }
  }

  return {
    open: (stream) => keep({ stream, event: undefined }, stream.lastWords.length),
    append: (event) => keep({ stream: event.stream, event }, event.message.length),

    async read(reader, seq): Promise<StreamReading | undefined> {
      const found = await rows.read(reader, seq);
      const [first] = found;
      if (first === undefined) return undefined;
      return {
        events: found.flatMap(({ seq: at, message, is_last: isLast }) =>
          at === null || message === null ? [] : [{ seq: at, message, isLast: isLast === true }],
        ),
        isEnded: first.is_ended,
        lastWords: first.last_words,
        silentSeconds: first.silent_seconds,
        idleSeconds: first.idle_seconds ?? undefined,
      };
    },

    touch: (streamIds) => rows.touch(streamIds).catch(() => {}),
    reap: rows.removeExpired,
  };
}

async function toRow({ id, sessionId, principal, lastWords }: KeptStream): Promise<StreamRow> {
  return { id, sessionId, principal: await principal, lastWords };
}

function isAway(error: unknown): boolean {
  return toFailure(error).code === 'database_unavailable';
}
