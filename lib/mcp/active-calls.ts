import { Failure } from '../http/failure.ts';

/**
 * The requests that this process is working on, by session and request id: what `notifications/cancelled` and the
 * end of a session find, and what the limit per session counts. Ids of different sessions never meet (rule 42).
 */
export interface ActiveCalls {
  /** Fails with `too_many_requests` when the session has `limit` requests under way. */
  begin(sessionId: string, requestId: string): ActiveCall;
  /** Cancels one; unknown ids are ignored, the request may just have been answered. */
  cancel(sessionId: string, requestId: string): void;
  cancelSession(sessionId: string): void;
  count(): number;
}

export interface ActiveCall {
  readonly signal: AbortSignal;
  end(): void;
}

export function createActiveCalls(limit: number): ActiveCalls {
  const sessions = new Map<string, Map<string, AbortController>>();
  let total = 0;

  return {
    begin(sessionId, requestId) {
      const calls = sessions.get(sessionId) ?? new Map<string, AbortController>();
      if (calls.size >= limit) {
        throw new Failure('too_many_requests', `This session has ${limit} requests under way already.`, {
          headers: { 'Retry-After': '1' },
        });
      }
      const controller = new AbortController();
      sessions.set(sessionId, calls.set(requestId, controller));
      total++;
      return {
        signal: controller.signal,
        end() {
          total--;
          if (calls.get(requestId) === controller) calls.delete(requestId);
          if (calls.size === 0) sessions.delete(sessionId);
        },
      };
    },
    cancel(sessionId, requestId) {
      sessions.get(sessionId)?.get(requestId)?.abort();
    },
    cancelSession(sessionId) {
      for (const controller of sessions.get(sessionId)?.values() ?? []) controller.abort();
    },
    count: () => total,
  };
}
