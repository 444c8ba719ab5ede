import { type Cancellation, type CancelSignal, createCancellation } from '../async/cancellation.ts';
import { EmptyingMap } from '../async/emptying-map.ts';
import type { Bus } from '../events/bus.ts';
import { Failure } from '../failure.ts';
import { isLogMessage, isLogWanted } from '../json-rpc/log-level.ts';
import type { ClientRequests } from '../sessions/client-requests/client-requests.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import type { ClientChannel } from '../upstreams/upstreams.ts';
import type { AnswerChannel } from './content-negotiation.ts';

/**
 * The running requests of this process, by session and request id: `notifications/cancelled` and the end of a session
 * cancel them here, and the limit per session counts them. Ids of different sessions never collide
 * (docs/protocol.md, rule 42). When a client uses an id twice at once, against the protocol, both calls count and both
 * are cancelled.
 */
export interface ActiveCalls {
  /**
   * After `refuse` the call is aborted from the start, with that failure.
   * @throws Failure `too_many_requests` when the session has `limit` running requests.
   */
  begin(sessionId: string, requestId: string): ActiveCall;
  /** Cancels the calls with this id. False: there is none; the request may just have been answered. */
  cancel(sessionId: string, requestId: string): boolean;
  cancelSession(sessionId: string): void;
  /** From now on no call is made; all are answered with `failure`. */
  refuse(failure: Failure): void;
  /** Cancels all calls; their clients are answered with `failure`. */
  endAll(failure: Failure): void;
  /** The sessions with running requests. */
  sessions(): readonly string[];
  count(): number;
}

export interface ActiveCall {
  readonly signal: CancelSignal;
  end(): void;
}

interface OpenCall {
  readonly requestId: string;
  readonly cancellation: Cancellation;
}

export function createActiveCalls(limit: number): ActiveCalls {
  const sessions = new EmptyingMap<string, OpenCall[]>();
  let total = 0;
  let refusal: ActiveCall | undefined;

  function callsOf(sessionId: string): OpenCall[] {
    const known = sessions.get(sessionId);
    if (known !== undefined) return known;
    const calls: OpenCall[] = [];
    sessions.set(sessionId, calls);
    return calls;
  }

  return {
    begin(sessionId, requestId) {
      if (refusal !== undefined) return refusal;
      const calls = callsOf(sessionId);
      if (calls.length >= limit) {
        throw new Failure('too_many_requests', `This session has ${limit} requests under way already.`, {
          headers: { 'Retry-After': '1' },
        });
      }
      const call: OpenCall = { requestId, cancellation: createCancellation() };
      calls.push(call);
      total++;
      return {
        signal: call.cancellation.signal,
        end() {
          const at = calls.indexOf(call);
          if (at < 0) return;
          calls.splice(at, 1);
          total--;
          if (calls.length === 0) sessions.take(sessionId);
        },
      };
    },
    cancel(sessionId, requestId) {
      const found = sessions.get(sessionId)?.filter((call) => call.requestId === requestId) ?? [];
      for (const { cancellation } of found) cancellation.abort();
      return found.length > 0;
    },
    cancelSession(sessionId) {
      for (const { cancellation } of [...(sessions.get(sessionId) ?? [])]) cancellation.abort();
    },
    refuse(failure) {
      const { signal, abort } = createCancellation();
      abort(failure);
      refusal = { signal, end() {} };
    },
    endAll(failure) {
      const calls = sessions.keys().flatMap((sessionId) => sessions.get(sessionId) ?? []);
      for (const { cancellation } of calls) cancellation.abort(failure);
    },
    sessions: () => sessions.keys(),
    count: () => total,
  };
}

/** Bus messages have a limit of their own, and no request has a longer id. */
const mostIdCharacters = 256;

/**
 * Publishes a cancellation whose request is not found here: another process may run it (docs/protocol.md, rule 42). The
 * session was checked by the process that received the cancellation. Its id holds no space, so the first space ends it.
 */
export function shareCancellations(calls: ActiveCalls, bus: Pick<Bus, 'subscribe' | 'publish'>): ActiveCalls {
  bus.subscribe(({ type, name }, origin) => {
    if (type !== 'cancelled' || origin === 'local') return;
    const end = name.indexOf(' ');
    calls.cancel(name.slice(0, end), name.slice(end + 1));
  });

  return {
    ...calls,
    cancel(sessionId, requestId) {
      const isFound = calls.cancel(sessionId, requestId);
      if (!isFound && requestId.length <= mostIdCharacters) {
        bus.publish({ type: 'cancelled', name: `${sessionId} ${requestId}` });
      }
      return isFound;
    },
  };
}

/** Lets servers notify and ask the client whose request they process, on the request's own stream. */
export interface ClientChannels {
  of(session: Session, stream: AnswerChannel): ClientChannel;
  /** By the session's id; undefined when the session is gone, or cannot be read now. */
  find(sessionId: string, stream: AnswerChannel): Promise<ClientChannel | undefined>;
}

interface ClientChannelsDependencies {
  readonly requests: Pick<ClientRequests, 'ask'>;
  readonly sessions: Pick<Sessions, 'peek' | 'find'>;
}

export function createClientChannels({ requests, sessions }: ClientChannelsDependencies): ClientChannels {
  function of(session: Session, { emit, hangUp }: AnswerChannel): ClientChannel {
    return {
      canAnswer: canBeAsked(session.clientCapabilities),
      logLevel: session.logLevel,
      hangUp,
      notify(message) {
        // The level may have changed since the call began.
        const { logLevel } = sessions.peek(session.id) ?? session;
        if (!isLogMessage(message) || isLogWanted(message, logLevel)) emit(message);
      },
      ask: (method, params, signal) => requests.ask({ session, emit }, method, params, signal),
    };
  }

  return {
    of,
    async find(sessionId, stream) {
      const session = await Promise.resolve(sessions.find(sessionId)).catch(() => undefined);
      return session && of(session, stream);
    },
  };
}

/** The client declared something that servers may ask of it. */
export function canBeAsked({ sampling, elicitation, roots }: Session['clientCapabilities']): boolean {
  return sampling !== undefined || elicitation !== undefined || roots !== undefined;
}
