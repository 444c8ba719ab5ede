import { type Cancellation, createCancellation } from '../mcp/cancellation.ts';
import { memberText } from '../mcp/raw-json.ts';
import type { Elicitations } from './elicitations.ts';
import type { IncomingRequest } from './incoming-messages.ts';
import { answerText, type ServerAnswer } from './messages.ts';
import { withServerName } from './named-params.ts';
import type { PendingCalls } from './pending-calls.ts';
import type { ServerNews } from './server-news.ts';

/**
 * What becomes of the requests of a server (mcp-spec rules 32 and 49). Sampling, elicitation and roots belong to the
 * session whose call the server works on, and go to its client; when nobody can tell for certain whose call that is,
 * they are refused rather than shown to the wrong one. Roots outside of any call are ours to answer, and we have none.
 */
export interface ServerRequests {
  /** @param requestId The request of ours on whose stream it came, if it came on one. */
  answer(request: IncomingRequest, requestId: number | undefined): void;
  /** The server takes its own request back, and gets no answer to it. */
  cancel(id: unknown): void;
}

export interface ServerRequestsOptions {
  readonly server: string;
  readonly pending: PendingCalls;
  readonly send: (text: string) => void;
  readonly elicitations: Elicitations;
  readonly onAsked?: ServerNews['onAsked'];
}

const clientMethods = new Set(['sampling/createMessage', 'elicitation/create', 'roots/list']);
const notFound: ServerAnswer = { error: '{"code":-32601,"message":"Method not found"}' };
const notNow: ServerAnswer = {
  error: '{"code":-32601,"message":"The client of this request cannot be asked."}',
};
const nobodyKnows: ServerAnswer = {
  error:
    '{"code":-32601,"message":"Several sessions share this connection, so nobody can tell which client is asked."}',
};
const noObject: ServerAnswer = { error: '{"code":-32602,"message":"The params must be an object."}' };

export function createServerRequests(options: ServerRequestsOptions): ServerRequests {
  const { server, pending, send } = options;
  const open = new Map<unknown, Cancellation>();

  async function ask({ id, method, text }: IncomingRequest, requestId: number | undefined): Promise<void> {
    const given = memberText(text, 'params') ?? 'null';
    if (given !== 'null' && !given.startsWith('{')) return send(answerText(id, noObject));
    const call = pending.concernedBy(requestId);
    if (call?.caller === undefined) return send(answerText(id, isAnyones(requestId) ? nobodyKnows : notNow));
    const cancellation = createCancellation();
    open.set(id, cancellation);
    const release = pending.hold(call, cancellation, requestId);
    const params = withServerName(given === 'null' ? '{}' : given, method, server);
    options.elicitations.noteRequest(params, call);
    const answer = await call.caller.ask(method, params, cancellation.signal);
    release();
    // Gone when the server took it back.
    if (open.get(id) === cancellation && open.delete(id)) send(answerText(id, answer));
  }

  function isAnyones(requestId: number | undefined): boolean {
    return requestId === undefined && pending.users.areSeveral;
  }

  return {
    answer(request, requestId) {
      const { id, method } = request;
      if (method === 'ping') return send(answerText(id, { result: '{}' }));
      if (!clientMethods.has(method)) return send(answerText(id, notFound));
      const isOurs = method === 'roots/list' && pending.inFlight === 0;
      options.onAsked?.(method, requestId === undefined && !isOurs);
      if (isOurs) send(answerText(id, { result: '{"roots":[]}' }));
      else void ask(request, requestId);
    },
    cancel(id) {
      const cancellation = open.get(id);
      open.delete(id);
      cancellation?.abort();
    },
  };
}

/** What every connection declares, so that servers show the tools that need it. */
export const declaredCapabilities =
  '{"sampling":{},"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true}}';
