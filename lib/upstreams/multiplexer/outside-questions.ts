import type { Cancellation } from '../../async/cancellation.ts';
import type { ServerTimeouts } from '../../config/server-config.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import { notAskable, type SessionClients } from '../sessions/session-clients.ts';
import type { ClientChannel } from '../upstreams.ts';

/**
 * What the server of one connection asks of its one session, but of no call in particular. Such a question is the
 * session's: it outlives calls, ends with the connection, and there are never many of them.
 */
export interface OutsideQuestions {
  /** Never rejects. @param cancellation aborts it, also by us. */
  ask(question: SessionQuestion, cancellation: Cancellation): Promise<RawAnswer>;
  areOpen(): boolean;
  /** Resolves when it waits for no roots any more, at once when it does not; or after `mostMs`. True: it did. */
  rootsAnswered(mostMs: number): Promise<boolean>;
  /** The connection is over. */
  end(): void;
}

export interface SessionQuestion {
  readonly sessionId: string;
  readonly method: string;
  /** Raw JSON text. */
  readonly params: string;
  /** The client of a call under way, on whose stream it is asked then: not every client listens outside of calls. */
  readonly clientChannel: ClientChannel | undefined;
}

export interface OutsideQuestionsOptions {
  readonly server: string;
  readonly timeouts: Pick<ServerTimeouts, 'callMs' | 'callCapMs'>;
  /** Absent: nobody can be asked outside of calls. */
  readonly clients: Pick<SessionClients, 'ask'> | undefined;
  /** The client of a call that waits for the connection. */
  readonly starter: (() => ClientChannel | undefined) | undefined;
}

const mostOpen = 16;
/** Characters. It may wait in the database, and is read at once by who listens. */
const longestParams = 524_288;

export function createOutsideQuestions(options: OutsideQuestionsOptions): OutsideQuestions {
  const { server, timeouts, clients, starter } = options;
  /** Cancellation → method. */
  const open = new Map<Cancellation, string>();
  const waiting = new Set<() => void>();

  function ended(cancellation: Cancellation): void {
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
      ended(cancellation);
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
