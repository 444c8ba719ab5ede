import type { ServerTimeouts } from '../../config/server-config.ts';
import type { UpstreamRequest } from '../upstreams.ts';
import type { PendingCall } from './pending-calls.ts';

/** As much of a session's request as a connection needs. */
export type RelayedRequest = Pick<
  UpstreamRequest,
  'sessionId' | 'method' | 'params' | 'signal' | 'onProgress' | 'clientChannel'
>;

export interface RelayedCallOptions extends Pick<PendingCall, 'resolve' | 'reject' | 'onAbort'> {
  readonly timeouts: ServerTimeouts;
  readonly now: number;
}

/** The wait of a request for its answer, from now on. */
export function relayedCall(request: RelayedRequest, options: RelayedCallOptions): PendingCall {
  const { callMs, callCapMs } = options.timeouts;
  const latest = options.now + callCapMs;
  return {
    method: request.method,
    isRelayed: true,
    resolve: options.resolve,
    reject: options.reject,
    onProgress: request.onProgress,
    sessionId: request.sessionId,
    clientChannel: request.clientChannel,
    signal: request.signal,
    onAbort: options.onAbort,
    waitMs: callMs,
    latest,
    deadline: Math.min(options.now + callMs, latest),
    isSent: false,
  };
}

export interface OwnCallOptions extends Pick<PendingCall, 'method' | 'resolve' | 'reject' | 'waitMs'> {
  readonly now: number;
}

/** The same for a request of our own, which counts against no limit and is never cancelled. */
export function ownCall({ method, resolve, reject, waitMs, now }: OwnCallOptions): PendingCall {
  const deadline = now + waitMs;
  const nobody = { onProgress: undefined, sessionId: undefined, clientChannel: undefined };
  const unused = { ...nobody, signal: undefined, onAbort() {} };
  return {
    method,
    isRelayed: false,
    resolve,
    reject,
    ...unused,
    waitMs,
    latest: deadline,
    deadline,
    isSent: true,
  };
}
