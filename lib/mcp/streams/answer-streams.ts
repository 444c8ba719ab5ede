import { createSlowCallTimer, type SlowCallTimer } from '../../async/slow-call-timer.ts';
import type { Bus } from '../../events/bus.ts';
import type { EventLog } from '../../sessions/event-log/event-log.ts';
import type { Session } from '../../sessions/sessions.ts';
import { commentLine, keepAliveLine, retryLine } from '../../streams/event-stream-text.ts';
import { principalOf } from '../principal.ts';
import { newStreamId } from './event-id.ts';
import { createNumberedStream, isPrimed, type NumberedStream, prime } from './numbered-stream.ts';

/**
 * The streams that answer POSTs whose requests this process is working on. A client that hangs up has not cancelled
 * (rule 27): what comes afterwards is kept, and whoever reads the stream elsewhere by then is told that there is more.
 */
export interface AnswerStreams {
  open(asked: AnswerOwner): AnswerStream;
  /** For requests that take so long that a stream is worth while, for their clients to come back to. */
  readonly slowCallTimer: SlowCallTimer;
  /** For clients that want a stream anyway: theirs is opened unless the answer is there at once. */
  readonly immediateTimer: SlowCallTimer;
  /** Ends the connections that are left. */
  close(): void;
}

export interface AnswerOwner {
  readonly session: Session;
  /** The `Authorization` header. */
  readonly authorization: string | null;
  /** The answer in case this process is lost. */
  readonly fallbackAnswer: string;
}

export interface AnswerStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Lets the client know that there is a stream, before there is anything to send. */
  begin(): void;
  send(message: string): void;
  /** Ends the stream, with the answer unless there is none. */
  end(answer: string | undefined): void;
  /**
   * Ends the connection and not the stream: the client comes back for the rest. For clients that were told how, and
   * streams that are stored: of any other nothing would be found.
   */
  hangUp(): void;
}

export interface AnswerStreamsDependencies {
  readonly log: EventLog;
  readonly bus: Bus;
  readonly newId: () => string;
}

const longAnswerMs = 50;
/** How soon a client comes back that we hang up on; no process has to start meanwhile, as with `retryMs`. */
const hungUpRetryMs = 1_000;

/** How often other processes are told that the writers of open streams live. */
export const signOfLifeMs = 5_000;

interface Running {
  readonly stream: NumberedStream;
  /** The client reads elsewhere, or nowhere yet. */
  isLeft: boolean;
}

export function createAnswerStreams({ log, bus, newId }: AnswerStreamsDependencies): AnswerStreams {
  const running = new Map<string, Running>();
  const unsubscribe = bus.subscribe(({ type, name }) => {
    if (type === 'stream') leave(name);
  });
  let beating: ReturnType<typeof setInterval> | undefined;

  function tell(id: string): void {
    bus.publish({ type: 'stream', name: id });
  }

  /** Somebody reads it elsewhere: the connection that is left here is dead, whether we noticed or not. */
  function leave(id: string): void {
    const entry = running.get(id);
    if (entry === undefined || entry.isLeft) return;
    entry.isLeft = true;
    entry.stream.close();
    // What was kept until now was kept without telling.
    tell(id);
  }

  function add(stream: NumberedStream): Running {
    const entry = { stream, isLeft: false };
    running.set(stream.id, entry);
    beating ??= setInterval(() => void log.touch([...running.keys()]), signOfLifeMs);
    return entry;
  }

  function remove(id: string): void {
    running.delete(id);
    if (running.size > 0) return;
    clearInterval(beating);
    beating = undefined;
  }

  /** @param message '' ends the stream without one. */
  function keep({ stream }: Running, message: string, isLast: boolean): void {
    void stream.keep(message, isLast).then(() => tell(stream.id));
  }

  return {
    slowCallTimer: createSlowCallTimer(longAnswerMs),
    immediateTimer: createSlowCallTimer(0),
    open({ session, authorization, fallbackAnswer }) {
      const id = newStreamId('post', newId);
      const principal = principalOf(authorization, session.id);
      const kept = { id, sessionId: session.id, principal, fallbackAnswer };
      const stream = createNumberedStream({ stream: kept, afterSeq: 0, log, keepAlive: keepAliveLine });
      const entry = add(stream);
      const isKept = log.open(kept);
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
          keep(entry, message, false);
        },
        end(answer) {
          remove(id);
          if (answer !== undefined && !entry.isLeft && stream.end(answer)) return;
          stream.close();
          keep(entry, answer ?? '', true);
        },
        hangUp() {
          // Not before another process finds the stream: the client may come back at once, and to any.
          if (!isPrimed(session.protocolVersion)) return;
          void isKept.then((kept) => {
            if (kept && stream.write(retryLine(hungUpRetryMs))) stream.close();
          });
        },
      };
    },
    close() {
      unsubscribe();
      clearInterval(beating);
      for (const { stream } of running.values()) stream.close();
    },
  };
}
