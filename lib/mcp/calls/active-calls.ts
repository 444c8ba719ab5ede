import type { CancelSignal } from '../../async/cancellation.ts';
import { type Cancellation, createCancellation } from '../../async/cancellation.ts';
import { EmptyingMap } from '../../async/emptying-map.ts';
import { Failure } from '../../failure.ts';

/**
 * The requests that this process is working on, by session and request id: what `notifications/cancelled` and the
 * end of a session find, and what the limit per session counts. Ids of different sessions never meet (rule 42).
 * A client that uses an id twice at once breaks a rule of its own; both calls count and both are cancelled.
 */
export interface ActiveCalls {
  /**
   * Fails with `too_many_requests` when the session has `limit` requests under way. After `refuse` the call is aborted
   * already, with that failure.
   */
  begin(sessionId: string, requestId: string): ActiveCall;
  /** Cancels what has this id. False: nothing has, the request may just have been answered. */
  cancel(sessionId: string, requestId: string): boolean;
  cancelSession(sessionId: string): void;
  /** From now on none is made: the clients are answered with `failure`. */
  refuse(failure: Failure): void;
  /** Cancels all; their clients are answered with `failure`. */
  endAll(failure: Failure): void;
  /** Those that have requests under way. */
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
