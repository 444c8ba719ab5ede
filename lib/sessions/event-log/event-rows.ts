/** The statements on the tables `event_streams` and `stream_events`. Ages are judged with the database's clock. */
import type { Database } from '../../database/database.ts';
import {
  expireAfterSeconds,
  mostStreamsPerSession,
  type StoredEvent,
  type StreamReader,
  underWayForSeconds,
} from './event-log.ts';
import type { StreamWrite } from './event-queue.ts';

export interface StreamRow {
  readonly id: string;
  readonly sessionId: string;
  readonly principal: string;
  readonly fallbackAnswer: string;
}

/** One per event; one without an event for a stream that has none after `seq`. */
interface ReadRow {
  readonly last_words: string;
  readonly is_ended: boolean;
  readonly silent_seconds: number;
  readonly idle_seconds: number | null;
  readonly seq: number | null;
  readonly message: string | null;
  readonly is_last: boolean | null;
}

/** The driver searches each element of an array for quotes and backslashes: half a second for 15 MB of them. */
const longestInArray = 65_536;

export function createEventRows(database: Pick<Database, 'query'>) {
  /** Removes a session's streams beyond the limit, ended ones first. Only the latest event of a stream can be a last one. */
  async function trimSessions(sessionIds: readonly string[]): Promise<void> {
    await database.query(
      `delete from event_streams where id in (
        select id from (
          select id, row_number() over (partition by session_id order by is_ended, alive_at desc, id) as place
          from event_streams, lateral (select coalesce((
            select is_last from stream_events where stream_id = event_streams.id order by seq desc limit 1
          ), false) as is_ended) as ending
          where session_id = any($1::text[])
            and (is_ended or last_words = '' or alive_at <= now() - make_interval(secs => $3))
        ) as placed where place > $2
      )`,
      [sessionIds, mostStreamsPerSession, underWayForSeconds],
      'trim-event-streams',
    );
  }

  async function insertLongEvent({ stream, seq, message, isLast }: StoredEvent): Promise<void> {
    await database.query(
      `insert into stream_events (stream_id, seq, message, is_last)
      select id, $2::int, $3::text, $4::boolean from event_streams where id = $1
      on conflict do nothing`,
      [stream.id, seq, message, isLast],
      'insert-stream-event',
    );
  }

  return {
    /** Known streams get a sign of life. Streams of sessions that have ended are skipped. */
    async insertStreams(streams: readonly StreamRow[]): Promise<void> {
      await database.query(
        `insert into event_streams (id, session_id, principal, last_words)
        select new_row.* from unnest($1::text[], $2::text[], $3::text[], $4::text[])
          as new_row (id, session_id, principal, last_words)
        join sessions on sessions.id = new_row.session_id
        on conflict (id) do update set alive_at = now()`,
        [
          streams.map(({ id }) => id),
          streams.map(({ sessionId }) => sessionId),
          streams.map(({ principal }) => principal),
          streams.map(({ fallbackAnswer }) => fallbackAnswer),
        ],
        'insert-event-streams',
      );
      await trimSessions([...new Set(streams.map(({ sessionId }) => sessionId))]);
    },

    /** Events of streams that were removed are skipped. */
    async insertEvents(events: readonly StoredEvent[]): Promise<void> {
      const short = events.filter(({ message }) => message.length <= longestInArray);
      for (const event of events) if (event.message.length > longestInArray) await insertLongEvent(event);
      if (short.length === 0) return;
      await database.query(
        `insert into stream_events (stream_id, seq, message, is_last)
        select new_row.* from unnest($1::text[], $2::int[], $3::text[], $4::boolean[])
          as new_row (stream_id, seq, message, is_last)
        join event_streams on event_streams.id = new_row.stream_id
        on conflict do nothing`,
        [
          short.map(({ stream }) => stream.id),
          short.map(({ seq }) => seq),
          short.map(({ message }) => message),
          short.map(({ isLast }) => isLast),
        ],
        'insert-stream-events',
      );
    },

    /** Removes events that the writers dropped. */
    async trim(writes: readonly Pick<StreamWrite, 'stream' | 'keepFrom'>[]): Promise<void> {
      if (writes.length === 0) return;
      await database.query(
        `delete from stream_events using unnest($1::text[], $2::int[]) as kept (stream_id, keep_from)
        where stream_events.stream_id = kept.stream_id and stream_events.seq < kept.keep_from`,
        [writes.map(({ stream }) => stream.id), writes.map(({ keepFrom }) => keepFrom)],
        'trim-stream-events',
      );
    },

    read({ streamId, sessionId, principal }: StreamReader, seq: number): Promise<ReadRow[]> {
      return database.query<ReadRow>(
        `select last_words, extract(epoch from now() - alive_at)::float8 as silent_seconds,
          (select extract(epoch from now() - max(created_at))::float8
            from stream_events where stream_id = event_streams.id) as idle_seconds,
          exists (select from stream_events where stream_id = event_streams.id and is_last) as is_ended,
          event.seq, event.message, event.is_last
        from event_streams
        left join stream_events as event on event.stream_id = event_streams.id and event.seq > $4
        where id = $1 and session_id = $2 and principal = $3
          and alive_at > now() - make_interval(secs => $5)
        order by event.seq`,
        [streamId, sessionId, principal, seq, expireAfterSeconds],
        'read-stream-events',
      );
    },

    async touch(streamIds: readonly string[]): Promise<void> {
      if (streamIds.length === 0) return;
      await database.query('update event_streams set alive_at = now() where id = any($1::text[])', [
        streamIds,
      ]);
    },

    async removeExpired(): Promise<void> {
      await database.query('delete from event_streams where alive_at <= now() - make_interval(secs => $1)', [
        expireAfterSeconds,
      ]);
    },
  };
}
