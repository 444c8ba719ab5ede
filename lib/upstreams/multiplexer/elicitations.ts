import { memberText } from '../../json/raw-json.ts';
import type { PendingCall } from './pending-calls.ts';

/** The call during which a client was sent to an address, or as much of it for a question outside of calls. */
export type AskingCall = Pick<PendingCall, 'isRelayed' | 'sessionId' | 'clientChannel'>;

/**
 * Open URL elicitations, so that only the client that was sent to an address is notified of its completion, even after the
 * call (2025-11-25 client/elicitation, Completion Notifications). Bounded: the oldest ones are dropped.
 */
export interface Elicitations {
  /** @param params of `elicitation/create`, raw JSON text. */
  recordRequest(params: string, call: AskingCall): void;
  /** @param error of an answer that may say that an elicitation is required first (-32042), raw JSON text. */
  recordError(error: string, call: AskingCall): void;
  /** Undefined for an elicitation that is not recorded. @param notification raw JSON text. */
  find(notification: string): AskingCall | undefined;
}

const most = 1_000;
/** Characters; unbounded ids would fill the memory. */
const longestId = 1_024;
/** Characters; an error that asks for an elicitation is short, and others need not be searched. */
const longestError = 65_536;

export function createElicitations(): Elicitations {
  const calls = new Map<string, AskingCall>();

  function record(id: unknown, call: AskingCall): void {
    if (typeof id !== 'string' || id.length > longestId || !call.isRelayed) return;
    calls.delete(id);
    calls.set(id, call);
    for (const oldest of calls.keys()) {
      if (calls.size <= most) break;
      calls.delete(oldest);
    }
  }

  return {
    recordRequest(params, call) {
      const id = memberText(params, 'elicitationId');
      if (id !== undefined) record(JSON.parse(id), call);
    },
    recordError(error, call) {
      if (error.length > longestError || !error.includes('-32042')) return;
      const { data }: { data?: { elicitations?: unknown } } = JSON.parse(error);
      if (!Array.isArray(data?.elicitations)) return;
      for (const elicitation of data.elicitations) record(elicitation?.elicitationId, call);
    },
    find(notification) {
      const id = memberText(memberText(notification, 'params') ?? '', 'elicitationId');
      return id === undefined ? undefined : calls.get(JSON.parse(id));
    },
  };
}
