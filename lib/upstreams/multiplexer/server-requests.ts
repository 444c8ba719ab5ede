import { type Cancellation, createCancellation } from '../../async/cancellation.ts';
import { memberText } from '../../json/raw-json.ts';
import type { IncomingRequest, RawAnswer } from '../../json-rpc/server-messages.ts';
import { answerText } from '../../json-rpc/write.ts';
import { notAskable } from '../sessions/session-clients.ts';
import type { ClientChannel } from '../upstreams.ts';
import type { Elicitations } from './elicitations.ts';
import { withServerName } from './named-params.ts';
import type { OutsideQuestions } from './outside-questions.ts';
import type { PendingCalls } from './pending-calls.ts';

/**
 * Answers the requests of a server (docs/protocol.md, rules 32 and 49). Sampling and elicitation go to the client of
 * the session whose call the server works on, or else of the one session that its connection has ever had; when their
 * session is uncertain, they are refused rather than shown to the wrong client. Roots belong to a session, whatever
 * call is in flight; over a connection that other sessions may come to share they are given on the stream of a call
 * only.
 */
export interface ServerRequests {
  /** @param requestId The request of ours on whose stream it came, if it came on one. */
  answer(request: IncomingRequest, requestId: number | undefined): void;
  /** The server cancels its request, and gets no answer to it. */
  cancel(id: unknown): void;
}

export interface ServerRequestsOptions {
  readonly server: string;
  readonly pending: PendingCalls;
  readonly send: (text: string) => void;
  readonly elicitations: Elicitations;
  readonly outside: Pick<OutsideQuestions, 'ask'>;
  /** The one session of the connection; absent: any. */
  readonly sessionId?: string | undefined;
  readonly onAskedBack?: (() => void) | undefined;
}

const clientMethods = new Set(['sampling/createMessage', 'elicitation/create', 'roots/list']);
const notFound: RawAnswer = { error: '{"code":-32601,"message":"Method not found"}' };
const sharedRoots: RawAnswer = {
  error:
    '{"code":-32601,"message":"Roots are not declared here, where several sessions may share one connection."}',
};
const uncertainSession: RawAnswer = {
  error:
    '{"code":-32601,"message":"Several sessions share this connection, so nobody can tell which client is asked."}',
};
const noObject: RawAnswer = { error: '{"code":-32602,"message":"The params must be an object."}' };

export function createServerRequests(options: ServerRequestsOptions): ServerRequests {
  const { server, pending, send } = options;
  const open = new Map<unknown, Cancellation>();

  async function ask({ id, method, text }: IncomingRequest, requestId: number | undefined): Promise<void> {
    const given = memberText(text, 'params') ?? 'null';
    if (given !== 'null' && !given.startsWith('{')) return send(answerText(JSON.stringify(id), noObject));
    const cancellation = createCancellation();
    open.set(id, cancellation);
    const params = withServerName(given === 'null' ? '{}' : given, method, server);
    const answer = await answerOf(method, params, cancellation, requestId);
    // Deleted when the server cancelled it.
    if (open.get(id) === cancellation && open.delete(id)) send(answerText(JSON.stringify(id), answer));
  }

  async function answerOf(
    method: string,
    params: string,
    cancellation: Cancellation,
    requestId: number | undefined,
  ): Promise<RawAnswer> {
    const call = pending.concernedBy(requestId);
    const isSessions = requestId === undefined && method === 'roots/list';
    if (call?.clientChannel === undefined || isSessions) {
      return await askOutside(method, params, cancellation, {
        requestId,
        clientChannel: call?.clientChannel,
      });
    }
    const resumeDeadline = pending.pauseDeadline(call, cancellation, requestId);
    options.elicitations.recordRequest(params, call);
    const answer = await call.clientChannel.ask(method, params, cancellation.signal);
    resumeDeadline();
    return answer;
  }

  async function askOutside(
    method: string,
    params: string,
    cancellation: Cancellation,
    { requestId, clientChannel }: { requestId: number | undefined; clientChannel: ClientChannel | undefined },
  ): Promise<RawAnswer> {
    if (requestId !== undefined) return notAskable;
    if (method === 'roots/list' && options.sessionId === undefined) return sharedRoots;
    const { only: sessionId, areSeveral } = pending.users;
    if (sessionId === undefined) return areSeveral ? uncertainSession : notAskable;
    options.elicitations.recordRequest(params, { isRelayed: true, sessionId, clientChannel });
    return await options.outside.ask({ sessionId, method, params, clientChannel }, cancellation);
  }

  return {
    answer(request, requestId) {
      const { id, method } = request;
      if (method === 'ping') return send(answerText(JSON.stringify(id), { result: '{}' }));
      if (!clientMethods.has(method)) return send(answerText(JSON.stringify(id), notFound));
      if (requestId === undefined && method !== 'roots/list') options.onAskedBack?.();
      void ask(request, requestId);
    },
    cancel(id) {
      const cancellation = open.get(id);
      open.delete(id);
      cancellation?.abort();
    },
  };
}
