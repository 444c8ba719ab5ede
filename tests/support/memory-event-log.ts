/** The event log in memory, with the contract of the one in the database. */
import {
  type EventLog,
  expireAfterSeconds,
  mostStreamsPerSession,
  type StoredEvent,
  type StoredStream,
  underWayForSeconds,
} from '../../lib/sessions/event-log/event-log.ts';

interface Active {
  readonly stream: StoredStream;
  readonly events: (StoredEvent & { readonly at: number })[];
  aliveAt: number;
}

/** @param now monotonic milliseconds */
export function createMemoryEventLog({ now }: { readonly now: () => number }): EventLog {
  /** In the order in which they were opened. */
  const streams = new Map<string, Active>();

  function storedStream(stream: StoredStream): Active {
    const active = streams.get(stream.id) ?? { stream, events: [], aliveAt: now() };
    streams.set(stream.id, active);
    const own = [...streams.values()].filter((other) => other.stream.sessionId === stream.sessionId);
    const [ended, others] = [
      own.filter(isEnded),
      own.filter((other) => !isEnded(other) && !isUnderWay(other)),
    ];
    for (const old of [...ended, ...others].slice(0, -mostStreamsPerSession)) streams.delete(old.stream.id);
    return active;
  }

  function isUnderWay({ stream, aliveAt }: Active): boolean {
    return stream.fallbackAnswer !== '' && now() - aliveAt < underWayForSeconds * 1000;
  }

  return {
    async open(stream) {
      storedStream(stream);
      return true;
    },

    async append(event) {
      const { events } = storedStream(event.stream);
      events.push({ ...event, at: now() });
      while ((events[0]?.seq ?? Number.POSITIVE_INFINITY) < event.keepFrom) events.shift();
      return true;
    },

    async read({ streamId, sessionId, principal }, seq) {
      const active = streams.get(streamId);
      if (active?.stream.sessionId !== sessionId || (await active.stream.principal) !== principal)
        return undefined;
      const latest = active.events.at(-1);
      return {
        events: active.events.filter((event) => event.seq > seq),
        isEnded: isEnded(active),
        fallbackAnswer: active.stream.fallbackAnswer,
        silentSeconds: (now() - active.aliveAt) / 1000,
        idleSeconds: latest && (now() - latest.at) / 1000,
      };
    },

    async touch(streamIds) {
      for (const id of streamIds) {
        const active = streams.get(id);
        if (active) active.aliveAt = now();
      }
    },

    async flush() {},

    async reap() {
      for (const [id, { aliveAt }] of streams) {
        if (now() - aliveAt > expireAfterSeconds * 1000) streams.delete(id);
      }
    },
  };
}

function isEnded({ events }: Active): boolean {
  return events.at(-1)?.isLast === true;
}
