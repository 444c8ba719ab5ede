import type { Cancellation, CancelSignal } from '../../async/cancellation.ts';
import { EmptyingMap } from '../../async/emptying-map.ts';
import type { ServerTimeouts } from '../../config/server-config.ts';
import type { Failure } from '../../failure.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import { type ConnectionUsers, createConnectionUsers } from '../sessions/sharing.ts';
import type { ClientChannel, UpstreamRequest } from '../upstreams.ts';

/** A request that waits for its answer, or for its turn to be sent. */
export interface PendingCall {
  readonly method: string;
  /** Counts against the server's limits; our own requests (handshake, listing) do not. */
  readonly isRelayed: boolean;
  readonly resolve: (answer: RawAnswer) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((message: string) => void) | undefined;
  /** Undefined for requests of our own. */
  readonly sessionId: string | undefined;
  readonly clientChannel: ClientChannel | undefined;
  readonly signal: CancelSignal | undefined;
  readonly onAbort: () => void;
  /** How long one wait may last, ms; a progress notification begins a new one. */
  readonly waitMs: number;
  /** Never later than this, progress or not. */
  readonly latest: number;
  deadline: number;
  isSent: boolean;
  /** The server's open questions to the client that belong, or may belong, to this call. */
  asks?: Set<Cancellation>;
}

export type RelayedRequest = Omit<UpstreamRequest, 'server'>;

export interface RelayedCallOptions extends Pick<PendingCall, 'resolve' | 'reject' | 'onAbort'> {
  readonly timeouts: ServerTimeouts;
  readonly now: number;
}

/** Its deadline counts from now on. */
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

/** A request of our own counts against no limit and is never cancelled. */
export function ownCall({ method, resolve, reject, waitMs, now }: OwnCallOptions): PendingCall {
  const deadline = now + waitMs;
  const noClient = { onProgress: undefined, sessionId: undefined, clientChannel: undefined };
  const own = { ...noClient, signal: undefined, onAbort() {}, waitMs };
  return { method, isRelayed: false, resolve, reject, ...own, latest: deadline, deadline, isSent: true };
}

export interface PendingCallsOptions {
  /** The one session of the connection; absent: any. */
  readonly sessionId?: string | undefined;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly onOverdue: (id: number, call: PendingCall) => void;
}

const slowestSweepMs = 250;
const fastestSweepMs = 10;

/**
 * The pending calls of one connection, and the one timer that watches their deadlines. It runs only while calls are
 * pending, and costs a call nothing. Time in the queue counts, so that no caller waits longer than promised.
 */
export class PendingCalls {
  readonly byId = new EmptyingMap<number, PendingCall>();
  /** Of the connection. */
  readonly users: ConnectionUsers;
  /** Relayed calls that were sent. */
  inFlight = 0;
  /** Relayed calls that were not sent yet. */
  waiting = 0;
  readonly #queue = new EmptyingMap<number, () => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #now: () => number;
  readonly #onOverdue: (id: number, call: PendingCall) => void;

  constructor({ sessionId, now, onOverdue }: PendingCallsOptions) {
    this.users = createConnectionUsers(sessionId);
    this.#now = now;
    this.#onOverdue = onOverdue;
  }

  add(id: number, call: PendingCall): void {
    this.byId.set(id, call);
    call.signal?.addEventListener('abort', call.onAbort);
    if (call.isRelayed) this.waiting++;
    if (this.#timer === undefined) this.#watch(call.waitMs);
  }

  markSent(call: PendingCall): void {
    call.isSent = true;
    // Requests of our own belong to no session.
    if (call.sessionId === undefined) return;
    this.users.add(call.sessionId, call.clientChannel?.canAnswer === true);
    this.waiting--;
    this.inFlight++;
  }

  /** Removes the call with this id; undefined when none is pending: the answer is late, doubled or invented. */
  complete(id: number): PendingCall | undefined {
    const call = this.byId.take(id);
    if (call === undefined) return undefined;
    if (call.isRelayed && call.isSent) this.inFlight--;
    else if (call.isRelayed) this.waiting--;
    if (!call.isSent) this.#queue.take(id);
    call.signal?.removeEventListener('abort', call.onAbort);
    if (call.asks !== undefined) this.#endAsks(call.asks);
    return call;
  }

  /** A question lasts as long as any of the calls that it may belong to. */
  #endAsks(asks: Iterable<Cancellation>): void {
    for (const ask of asks) if (!this.#isAsked(ask)) ask.abort();
  }

  #isAsked(ask: Cancellation): boolean {
    for (const call of this.byId.values()) if (call.asks?.has(ask)) return true;
    return false;
  }

  /**
   * The call that a message of the server belongs to: the one on whose stream it came. Outside of streams the latest one of
   * the session that alone has ever used this connection; otherwise undefined, because the call may be over.
   */
  concernedBy(requestId: number | undefined): PendingCall | undefined {
    if (requestId !== undefined) {
      const call = this.byId.get(requestId);
      return call?.isRelayed ? call : undefined;
    }
    if (this.users.only === undefined) return undefined;
    const sent = this.#sentCalls();
    return sent.findLast(({ clientChannel }) => clientChannel !== undefined) ?? sent.at(-1);
  }

  /**
   * Extends deadlines to the cap while the client is asked something, since a person may take their time. Without a stream
   * that names the call, this holds for all calls in flight.
   * @returns to be called with the answer: the server's own time begins anew once no question is open.
   */
  pauseDeadline(call: PendingCall, ask: Cancellation, requestId: number | undefined): () => void {
    const paused = requestId === undefined ? this.#sentCalls() : [call];
    for (const one of paused) {
      one.asks ??= new Set();
      one.asks.add(ask);
      one.deadline = one.latest;
    }
    return () => {
      for (const one of paused) {
        one.asks?.delete(ask);
        if (one.asks?.size === 0) this.extend(one);
      }
    };
  }

  #sentCalls(): PendingCall[] {
    return this.byId.values().filter(({ isRelayed, isSent }) => isRelayed && isSent);
  }

  /** The call has made progress: its wait begins anew, up to its cap. */
  extend(call: PendingCall): void {
    if (call.asks !== undefined && call.asks.size > 0) return;
    call.deadline = Math.min(this.#now() + call.waitMs, call.latest);
  }

  /** `send` is called when it is this call's turn. A call that is given up leaves the queue, and its memory, at once. */
  queue(id: number, send: () => void): void {
    this.#queue.set(id, send);
  }

  /** Sends queued calls while fewer than `limit` are in flight. */
  sendQueued(limit: number): void {
    if (this.#queue.size === 0) return;
    for (const [id, send] of this.#queue.entries()) {
      if (this.inFlight >= limit) return;
      this.#queue.take(id);
      send();
    }
  }

  rejectQueued(failure: Failure): void {
    for (const id of this.#queue.keys()) this.complete(id)?.reject(failure);
  }

  rejectAll(sent: Failure, notSent: Failure): void {
    for (const id of this.byId.keys()) {
      const call = this.complete(id);
      call?.reject(call.isSent ? sent : notSent);
    }
  }

  /** To be called once no call is pending. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #watch(waitMs: number): void {
    const pause = Math.max(fastestSweepMs, Math.min(slowestSweepMs, waitMs / 8));
    this.#timer = setTimeout(() => this.#sweep(), pause);
  }

  #sweep(): void {
    this.#timer = undefined;
    const now = this.#now();
    let shortest = Number.POSITIVE_INFINITY;
    for (const [id, call] of this.byId.entries()) {
      if (call.deadline <= now) this.#onOverdue(id, call);
      else shortest = Math.min(shortest, call.waitMs);
    }
    if (this.byId.size > 0 && this.#timer === undefined) this.#watch(shortest);
  }
}
