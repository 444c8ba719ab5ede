import type { Cancellation } from '../../async/cancellation.ts';
import type { ServerTimeouts } from '../../config/server-config.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import { notAskable, type SessionClients } from '../sessions/session-clients.ts';
import type { ClientChannel } from '../upstreams.ts';

/**
 * The questions of a server to the one session of its connection that belong to no call. They outlive calls and end with
 * the connection, and their number is limited.
 */
export interface OutsideQuestions {
  /** Never rejects. @param cancellation Ends the question; also aborted here. */
  ask(question: SessionQuestion, cancellation: Cancellation): Promise<RawAnswer>;
  areOpen(): boolean;
  /** Resolves when no question for roots is open, or after `mostMs`. True: one was open. */
  rootsAnswered(mostMs: number): Promise<boolean>;
  /** The connection is over. */
  end(): void;
}

export interface SessionQuestion {
  readonly sessionId: string;
  readonly method: string;
  /** Raw JSON text. */
  readonly params: string;
  /** Of a call in flight, on whose stream the client is then asked: not every client listens outside of calls. */
  readonly clientChannel: ClientChannel | undefined;
}

export interface OutsideQuestionsOptions {
  readonly server: string;
  readonly timeouts: Pick<ServerTimeouts, 'callMs' | 'callCapMs'>;
  /** Absent: clients cannot be asked outside of calls. */
  readonly clients?: Pick<SessionClients, 'ask'> | undefined;
  /** The client of a call that waits for the connection. */
  readonly starter?: (() => ClientChannel | undefined) | undefined;
}

const mostOpen = 16;
/** Characters. A question may wait in the database, and the process that the client listens to reads it whole. */
const longestParams = 524_288;

export function createOutsideQuestions(options: OutsideQuestionsOptions): OutsideQuestions {
  const { server, timeouts, clients, starter } = options;
  /** Cancellation → method. */
  const open = new Map<Cancellation, string>();
  const waiting = new Set<() => void>();

  function end(cancellation: Cancellation): void {
    open.delete(cancellation);
    if (!areRootsAsked()) for (const resolve of waiting) resolve();
  }

  function areRootsAsked(): boolean {
    return [...open.values()].includes('roots/list');
  }

  async function send(question: SessionQuestion, { signal }: Cancellation): Promise<RawAnswer> {
    const { sessionId, method, params, clientChannel = starter?.() } = question;
    if (clientChannel?.canAnswer) return await clientChannel.ask(method, params, signal);
    if (clients === undefined) return notAskable;
    return await clients.ask({ server, sessionId, method, params, signal, unreadMs: timeouts.callMs });
  }

  return {
    async ask(question, cancellation) {
      if (open.size >= mostOpen) return refused(`The client is asked ${mostOpen} things at once already.`);
      if (question.params.length > longestParams) {
        return refused(`Outside of a call the params may have at most ${longestParams} characters.`);
      }
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        cancellation.abort();
      }, timeouts.callCapMs);
      open.set(cancellation, question.method);
      const answer = await send(question, cancellation);
      clearTimeout(timer);
      end(cancellation);
      return isLate ? refused(`The client has not answered within ${timeouts.callCapMs} ms.`) : answer;
    },
    areOpen: () => open.size > 0,
    rootsAnswered(mostMs) {
      if (!areRootsAsked()) return Promise.resolve(false);
      return new Promise((resolve) => {
        const over = () => {
          clearTimeout(timer);
          waiting.delete(over);
          resolve(true);
        };
        const timer = setTimeout(over, mostMs);
        waiting.add(over);
      });
    },
    end() {
      for (const cancellation of [...open.keys()]) cancellation.abort();
    },
  };
}

function refused(message: string): RawAnswer {
  return { error: JSON.stringify({ code: -32603, message }) };
}
