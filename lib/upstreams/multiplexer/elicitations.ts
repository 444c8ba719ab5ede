import { memberText } from '../../json/raw-json.ts';
import type { PendingCall } from './pending-calls.ts';

/** The call that a client was sent elsewhere for, or as much of one where it was asked outside of any. */
export type AskingCall = Pick<PendingCall, 'isRelayed' | 'sessionId' | 'clientChannel'>;

/**
 * Which call's client was sent to which address, so that only this client hears when it is done there, be it after the
 * call (2025-11-25 client/elicitation, Completion Notifications). Bounded: who never finishes is forgotten in time.
 */
export interface Elicitations {
  /** @param params of `elicitation/create`, raw JSON text. */
  noteRequest(params: string, call: AskingCall): void;
  /** @param error of an answer that may say that an elicitation is required first (-32042), raw JSON text. */
  noteError(error: string, call: AskingCall): void;
  /** Undefined for what was never asked for. @param notification raw JSON text. */
  find(notification: string): AskingCall | undefined;
}

const most = 1_000;
/** Characters; a thousand of any length would fill the memory. */
const longestId = 1_024;
/** Characters; one that asks for an elicitation is short, and others need not be searched. */
const longestError = 65_536;

export function createElicitations(): Elicitations {
  const calls = new Map<string, AskingCall>();

  function note(id: unknown, call: AskingCall): void {
    if (typeof id !== 'string' || id.length > longestId || !call.isRelayed) return;
    calls.delete(id);
    calls.set(id, call);
    for (const oldest of calls.keys()) {
      if (calls.size <= most) break;
      calls.delete(oldest);
    }
  }

  return {
    noteRequest(params, call) {
      const id = memberText(params, 'elicitationId');
      if (id !== undefined) note(JSON.parse(id), call);
    },
    noteError(error, call) {
      if (error.length > longestError || !error.includes('-32042')) return;
      const { data }: { data?: { elicitations?: unknown } } = JSON.parse(error);
      if (!Array.isArray(data?.elicitations)) return;
      for (const elicitation of data.elicitations) note(elicitation?.elicitationId, call);
    },
    find(notification) {
      const id = memberText(memberText(notification, 'params') ?? '', 'elicitationId');
      return id === undefined ? undefined : calls.get(JSON.parse(id));
    },
  };
}
