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

  function hold(stream: StoredStream): Active {
    const held = streams.get(stream.id) ?? { stream, events: [], aliveAt: now() };
    streams.set(stream.id, held);
    const own = [...streams.values()].filter((other) => other.stream.sessionId === stream.sessionId);
    const [ended, others] = [
      own.filter(isEnded),
      own.filter((other) => !isEnded(other) && !isUnderWay(other)),
    ];
    for (const old of [...ended, ...others].slice(0, -mostStreamsPerSession)) streams.delete(old.stream.id);
    return held;
  }

  function isUnderWay({ stream, aliveAt }: Active): boolean {
    return stream.fallbackAnswer !== '' && now() - aliveAt < underWayForSeconds * 1000;
  }

  return {
    async open(stream) {
      hold(stream);
      return true;
    },

    async append(event) {
      const { events } = hold(event.stream);
      events.push({ ...event, at: now() });
      while ((events[0]?.seq ?? Number.POSITIVE_INFINITY) < event.keepFrom) events.shift();
      return true;
    },

    async read({ streamId, sessionId, principal }, seq) {
      const held = streams.get(streamId);
      if (held?.stream.sessionId !== sessionId || (await held.stream.principal) !== principal)
        return undefined;
      const latest = held.events.at(-1);
      return {
        events: held.events.filter((event) => event.seq > seq),
        isEnded: isEnded(held),
        fallbackAnswer: held.stream.fallbackAnswer,
        silentSeconds: (now() - held.aliveAt) / 1000,
        idleSeconds: latest && (now() - latest.at) / 1000,
      };
    },

    async touch(streamIds) {
      for (const id of streamIds) {
        const held = streams.get(id);
        if (held) held.aliveAt = now();
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
