import { createSlowCallTimer, type SlowCallTimer } from '../../async/slow-call-timer.ts';
import type { Bus } from '../../events/bus.ts';
import type { EventLog } from '../../sessions/event-log/event-log.ts';
import type { Session } from '../../sessions/sessions.ts';
import { commentLine, keepAliveLine, retryLine } from '../../streams/event-stream-text.ts';
import { newStreamId } from './event-id.ts';
import {
  createNumberedStream,
  isPrimed,
  type NumberedStream,
  prime,
  principalOf,
  soonMs,
} from './numbered-stream.ts';

/**
 * The streams that answer POSTs whose requests this process runs. A client that disconnects has not cancelled
 * (docs/protocol.md, rule 27): later messages are stored, and a process that tails the stream for the client is notified
 * of each.
 */
export interface AnswerStreams {
  open(owner: AnswerOwner): AnswerStream;
  /** For long requests, whose clients should have a stream to return to. */
  readonly slowCallTimer: SlowCallTimer;
  /** For clients that prefer a stream: opened unless the answer is available at once. */
  readonly immediateTimer: SlowCallTimer;
  /** Closes the remaining connections. */
  close(): void;
}

export interface AnswerOwner {
  readonly session: Session;
  /** The `Authorization` header. */
  readonly authorization: string | null;
  /** Sent in place of the answer when this process is lost. */
  readonly fallbackAnswer: string;
}

export interface AnswerStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Sends the headers before the first message. */
  begin(): void;
  send(message: string): void;
  /** Ends the stream, with the answer unless there is none. */
  end(answer: string | undefined): void;
  /**
   * Ends the connection but not the stream: the client returns for the rest. Does nothing for a client without an id to
   * resume from, or a stream that is not stored: the rest could not be found.
   */
  hangUp(): void;
}

export interface AnswerStreamsDependencies {
  readonly log: EventLog;
  readonly bus: Pick<Bus, 'subscribe' | 'publish'>;
  readonly newId: () => string;
}

const longAnswerMs = 50;

/** How often the writers of open streams publish a sign of life. */
export const signOfLifeMs = 5_000;

interface Active {
  readonly stream: NumberedStream;
  /** The client reads elsewhere, or nowhere yet. */
  isLeft: boolean;
}

export function createAnswerStreams({ log, bus, newId }: AnswerStreamsDependencies): AnswerStreams {
  const active = new Map<string, Active>();
  const unsubscribe = bus.subscribe(({ type, name }) => {
    if (type === 'stream') leave(name);
  });
  let signOfLife: ReturnType<typeof setInterval> | undefined;

  function publishMore(id: string): void {
    bus.publish({ type: 'stream', name: id });
  }

  /** Another process reads the stream: the connection here is dead, noticed or not. */
  function leave(id: string): void {
    const entry = active.get(id);
    if (entry === undefined || entry.isLeft) return;
    entry.isLeft = true;
    entry.stream.close();
    // Events stored until now were not published.
    publishMore(id);
  }

  function add(stream: NumberedStream): Active {
    const entry = { stream, isLeft: false };
    active.set(stream.id, entry);
    signOfLife ??= setInterval(() => void log.touch([...active.keys()]), signOfLifeMs);
    return entry;
  }

  function remove(id: string): void {
    active.delete(id);
    if (active.size > 0) return;
    clearInterval(signOfLife);
    signOfLife = undefined;
  }

  /** @param message '' ends the stream without one. */
  function store({ stream }: Active, message: string, isLast: boolean): void {
    void stream.store(message, isLast).then(() => publishMore(stream.id));
  }

  return {
    slowCallTimer: createSlowCallTimer(longAnswerMs),
    immediateTimer: createSlowCallTimer(0),
    open({ session, authorization, fallbackAnswer }) {
      const id = newStreamId('post', newId);
      const principal = principalOf(authorization, session.id);
      const stored = { id, sessionId: session.id, principal, fallbackAnswer };
      const stream = createNumberedStream({ stream: stored, afterSeq: 0, log, keepAlive: keepAliveLine });
      const entry = add(stream);
      const isStored = log.open(stored);
      prime(stream, session.protocolVersion);
      return {
        body: stream.body,
        begin() {
          // Behind the Node adapter headers leave with the first byte, which in other sessions primes the stream.
          if (!isPrimed(session.protocolVersion)) stream.write(commentLine('open'));
        },
        send(message) {
          if (!entry.isLeft && stream.send(message)) return;
          entry.isLeft = true;
          store(entry, message, false);
        },
        end(answer) {
          remove(id);
          if (answer !== undefined && !entry.isLeft && stream.end(answer)) return;
          stream.close();
          store(entry, answer ?? '', true);
        },
        hangUp() {
          // Not before another process can find the stream: the client may return at once, and to any process.
          if (!isPrimed(session.protocolVersion)) return;
          void isStored.then((stored) => {
            if (stored && stream.write(retryLine(soonMs))) stream.close();
          });
        },
      };
    },
    close() {
      unsubscribe();
      clearInterval(signOfLife);
      for (const { stream } of active.values()) stream.close();
    },
  };
}
