import type { Cancellation, CancelSignal } from '../../async/cancellation.ts';
import { EmptyingMap } from '../../async/emptying-map.ts';
import type { ServerTimeouts } from '../../config/server-config.ts';
import type { Failure } from '../../failure.ts';
import type { RawAnswer } from '../../json-rpc/raw-answer.ts';
import { type ConnectionUsers, createConnectionUsers } from '../sessions/sharing.ts';
import type { ClientChannel, UpstreamRequest } from '../upstreams.ts';

/**
 * The requests of one connection that wait for an answer or for their turn, and the one timer that watches
 * their deadlines. One timer for all instead of one each: it runs only while something waits, and costs a call
 * nothing. Time spent waiting for a turn counts, so that no caller waits longer than it was promised.
 */
export interface PendingCall {
  readonly method: string;
  /** Counts against the server's limits; our own requests (handshake, listing) do not. */
  readonly isRelayed: boolean;
  readonly resolve: (answer: RawAnswer) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((message: string) => void) | undefined;
  /** Whose call it is; undefined for requests of our own. */
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
  /** What the server asks the client while it works on the call, or on others beside it; see `take`. */
  asks?: Set<Cancellation>;
}

export interface PendingCallsOptions {
  /** The one session that the connection serves; absent: any. */
  readonly sessionId?: string | undefined;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly onOverdue: (id: number, call: PendingCall) => void;
}

const slowestSweepMs = 250;
const fastestSweepMs = 10;

export class PendingCalls {
  readonly byId = new EmptyingMap<number, PendingCall>();
  /** Of the connection. */
  readonly users: ConnectionUsers;
  /** Relayed calls that were sent; those that still wait for their turn. */
  inFlight = 0;
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
    // Requests of our own are of no session.
    if (call.sessionId === undefined) return;
    this.users.add(call.sessionId, call.clientChannel?.canAnswer === true);
    this.waiting--;
    this.inFlight++;
  }

  /** Ends the wait of that request; undefined when nobody waited: the answer is late, doubled or invented. */
  take(id: number): PendingCall | undefined {
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
   * The call that a message of the server belongs to: the one on whose stream it came. Outside of streams the latest one
   * of the session that alone has ever used this connection; else nobody can tell, as the call may be over.
   */
  concernedBy(requestId: number | undefined): PendingCall | undefined {
    if (requestId !== undefined) {
      const call = this.byId.get(requestId);
      return call?.isRelayed ? call : undefined;
    }
    if (this.users.only === undefined) return undefined;
    const underWay = this.#underWay();
    return underWay.findLast(({ clientChannel }) => clientChannel !== undefined) ?? underWay.at(-1);
  }

  /**
   * The client is asked for something: a person may take their time, up to the call's cap. Without a stream that tells
   * the call, each of those under way may be the one that waits.
   * @returns to be called with the answer: the server's own time begins anew once nothing is asked any more.
   */
  hold(call: PendingCall, ask: Cancellation, requestId: number | undefined): () => void {
    const held = requestId === undefined ? this.#underWay() : [call];
    for (const one of held) {
      one.asks ??= new Set();
      one.asks.add(ask);
      one.deadline = one.latest;
    }
    return () => {
      for (const one of held) {
        one.asks?.delete(ask);
        if (one.asks?.size === 0) this.extend(one);
      }
    };
  }

  #underWay(): PendingCall[] {
    return this.byId.values().filter(({ isRelayed, isSent }) => isRelayed && isSent);
  }

  /** Progress was made on that call: its wait begins anew, up to its cap. */
  extend(call: PendingCall): void {
    if (call.asks !== undefined && call.asks.size > 0) return;
    call.deadline = Math.min(this.#now() + call.waitMs, call.latest);
  }

  /** `send` is called when it is this call's turn. One that is given up leaves the queue at once, with all it holds. */
  queue(id: number, send: () => void): void {
    this.#queue.set(id, send);
  }

  /** Lets those in the queue go while fewer than `limit` are in flight. */
  sendQueued(limit: number): void {
    if (this.#queue.size === 0) return;
    for (const [id, send] of this.#queue.entries()) {
      if (this.inFlight >= limit) return;
      this.#queue.take(id);
      send();
    }
  }

  rejectQueued(failure: Failure): void {
    for (const id of this.#queue.keys()) this.take(id)?.reject(failure);
  }

  rejectAll(sent: Failure, notSent: Failure): void {
    for (const id of this.byId.keys()) {
      const call = this.take(id);
      call?.reject(call.isSent ? sent : notSent);
    }
  }

  /** To be called once nothing waits any more. */
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
