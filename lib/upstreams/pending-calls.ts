import type { Failure } from '../http/failure.ts';
import type { CancelSignal, UpstreamAnswer } from './upstreams.ts';

/**
 * The requests of one connection that wait for an answer or for their turn, and the one timer that watches
 * their deadlines. One timer for all instead of one each: it runs only while something waits, and costs a call
 * nothing. Time spent waiting for a turn counts, so that no caller waits longer than it was promised.
 */
export interface PendingCall {
  readonly method: string;
  /** Counts against the server's limits; our own requests (handshake, listing) do not. */
  readonly isRelayed: boolean;
  readonly resolve: (answer: UpstreamAnswer) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((message: string) => void) | undefined;
  readonly signal: CancelSignal | undefined;
  readonly onAbort: () => void;
  /** How long one wait may last, ms; a progress notification begins a new one. */
  readonly waitMs: number;
  /** Never later than this, progress or not. */
  readonly latest: number;
  deadline: number;
  isSent: boolean;
}

const slowestSweepMs = 250;
const fastestSweepMs = 10;

export class PendingCalls {
  readonly byId = new Map<number, PendingCall>();
  /** Relayed calls that were sent; those that still wait for their turn. */
  inFlight = 0;
  waiting = 0;
  readonly #queue: { readonly id: number; readonly send: () => void }[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #now: () => number;
  readonly #onOverdue: (id: number, call: PendingCall) => void;

  constructor(now: () => number, onOverdue: (id: number, call: PendingCall) => void) {
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
    if (!call.isRelayed) return;
    this.waiting--;
    this.inFlight++;
  }

  /** Ends the wait of that request; undefined when nobody waited: the answer is late, doubled or invented. */
  take(id: number): PendingCall | undefined {
    const call = this.byId.get(id);
    if (call === undefined) return undefined;
    this.byId.delete(id);
    if (call.isRelayed && call.isSent) this.inFlight--;
    else if (call.isRelayed) this.waiting--;
    call.signal?.removeEventListener('abort', call.onAbort);
    return call;
  }

  /** Progress was made on that call: its wait begins anew, up to its cap. */
  extend(call: PendingCall): void {
    call.deadline = Math.min(this.#now() + call.waitMs, call.latest);
  }

  /** `send` is called when it is this call's turn, unless it was given up by then. */
  queue(id: number, send: () => void): void {
    this.#queue.push({ id, send });
  }

  /** Lets those in the queue go while fewer than `limit` are in flight. */
  sendQueued(limit: number): void {
    while (this.inFlight < limit) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      if (this.byId.has(next.id)) next.send();
    }
  }

  rejectQueued(failure: Failure): void {
    for (const { id } of this.#queue.splice(0)) this.take(id)?.reject(failure);
  }

  rejectAll(sent: Failure, notSent: Failure): void {
    for (const id of [...this.byId.keys()]) {
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
    for (const [id, call] of this.byId) {
      if (call.deadline <= now) this.#onOverdue(id, call);
      else shortest = Math.min(shortest, call.waitMs);
    }
    if (this.byId.size > 0 && this.#timer === undefined) this.#watch(shortest);
  }
}
