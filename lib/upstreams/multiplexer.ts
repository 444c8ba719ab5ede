import type { ServerConfig } from '../catalog/server-config.ts';
import type { Failure } from '../http/failure.ts';
import { notificationText, requestText } from './messages.ts';
import { type PendingCall, PendingCalls } from './pending-calls.ts';
import { createReceiver } from './receiver.ts';
import type { SendProblem, Transport, TransportEvents } from './transport.ts';
import { NotSent, timedOut, tooManyCalls, unavailable } from './upstream-failures.ts';
import type { UpstreamAnswer, UpstreamRequest } from './upstreams.ts';

/**
 * Many requests over one transport. This is the relay path: ids are minted integers, params and answers stay
 * raw text, nothing is validated beyond the few members we route by, and a call sets no timer of its own.
 * It never sends anything twice; whoever gets a `NotSent` may.
 */
export interface MultiplexerOptions {
  /** As written in the config file: what secrets it refers to is only known to the transport. */
  readonly config: Pick<ServerConfig, 'name' | 'timeouts' | 'limits'>;
  readonly open: (events: TransportEvents) => Transport;
  readonly now: () => number;
  /** No further request can be taken. Called once, unless `fail` or `drain` came first. */
  readonly onEnd: (reason: string) => void;
  readonly onListChanged: () => void;
  readonly onStderr: (chunk: string) => void;
}

export type RelayedRequest = Pick<UpstreamRequest, 'method' | 'params' | 'signal' | 'onProgress'>;

export class Multiplexer {
  readonly #options: MultiplexerOptions;
  readonly #server: string;
  readonly #transport: Transport;
  readonly #pending: PendingCalls;
  #queue: { id: number; request: RelayedRequest }[] = [];
  #lastId = 0;
  #state: 'open' | 'draining' | 'closed' = 'open';
  #endReason = 'its connection was closed';
  #closing: Promise<void> | undefined;
  #onDrained: (() => void) | undefined;

  constructor(options: MultiplexerOptions) {
    this.#options = options;
    this.#server = options.config.name;
    this.#pending = new PendingCalls(options.now, (id, call) => this.#onOverdue(id, call));
    const receive = createReceiver({
      server: this.#server,
      pending: this.#pending,
      send: (text) => void this.#transport.sendOther(text),
      onAnswered: () => this.#advance(),
      onListChanged: options.onListChanged,
      onNonsense: (reason) => this.#onClose(reason),
    });
    this.#transport = options.open({
      onMessage: (text) => {
        if (this.#state !== 'closed') receive(text);
      },
      onSendFailed: (id, problem) => this.#onSendFailed(id, problem),
      onLost: (reason) => this.#onLost(reason),
      onClose: (reason) => this.#onClose(reason),
      onStderr: options.onStderr,
    });
  }

  get pid(): number | undefined {
    return this.#transport.pid;
  }

  get callsInFlight(): number {
    return this.#pending.inFlight + this.#pending.waiting;
  }

  /** Relays a call of a session, within the server's limits; waits for its turn when they are reached. */
  request(request: RelayedRequest): Promise<UpstreamAnswer> {
    const { signal } = request;
    const { limits } = this.#options.config;
    if (this.#state !== 'open') return Promise.reject(new NotSent(this.#server, this.#endReason));
    if (signal.aborted) return Promise.reject(signal.reason);
    const mustWait = this.#pending.inFlight >= limits.calls;
    if (mustWait && this.#pending.waiting >= limits.queue) return Promise.reject(tooManyCalls(this.#server));
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const call = this.#pendingCall(id, request, resolve, reject);
      this.#pending.add(id, call);
      if (mustWait) this.#queue.push({ id, request });
      else this.#send(id, call, request);
    });
  }

  /** A request of our own: no limit, no signal. `waitMs`: how long the answer may take. */
  ask(method: string, params: string, waitMs: number): Promise<UpstreamAnswer> {
    if (this.#state === 'closed') return Promise.reject(unavailable(this.#server, this.#endReason));
    return new Promise((resolve, reject) => {
      const deadline = this.#options.now() + waitMs;
      const call = { method, isRelayed: false, resolve, reject, onProgress: undefined, signal: undefined, onAbort() {} };
      const id = ++this.#lastId;
      this.#pending.add(id, { ...call, waitMs, latest: deadline, deadline, isSent: true });
      this.#transport.sendRequest(id, requestText(id, method, params));
    });
  }

  /** Resolves once the server has taken it. */
  notify(method: string, params?: string): Promise<void> {
    return this.#transport.sendOther(notificationText(method, params));
  }

  /** The handshake is done. */
  ready(protocolVersion: string): void {
    this.#transport.ready(protocolVersion);
  }

  /** Takes nothing new, lets what is under way or queued finish, then closes. */
  drain(): Promise<void> {
    if (this.#state === 'closed') return this.#closing ?? Promise.resolve();
    this.#state = 'draining';
    return new Promise((resolve) => {
      const before = this.#onDrained;
      this.#onDrained = () => {
        before?.();
        resolve();
      };
      this.#closeWhenDrained();
    });
  }

  /** Ends it now; everything under way fails so. Resolves when the process or connection is gone. */
  fail(failure: Failure): Promise<void> {
    this.#rejectAll(failure);
    return this.#close();
  }

  #pendingCall(
    id: number,
    { method, signal, onProgress }: RelayedRequest,
    resolve: PendingCall['resolve'],
    reject: PendingCall['reject'],
  ): PendingCall {
    const { callMs, callCapMs } = this.#options.config.timeouts;
    const now = this.#options.now();
    const latest = now + callCapMs;
    return {
      method,
      isRelayed: true,
      resolve,
      reject,
      onProgress,
      signal,
      onAbort: () => this.#abandon(id, 'cancelled', signal.reason),
      waitMs: callMs,
      latest,
      deadline: Math.min(now + callMs, latest),
      isSent: false,
    };
  }

  #send(id: number, call: PendingCall, request: RelayedRequest): void {
    this.#pending.markSent(call);
    try {
      this.#transport.sendRequest(id, requestText(id, request.method, request.params(id)));
    } catch (error) {
      this.#pending.take(id);
      call.reject(error);
      this.#advance();
    }
  }

  /** Something ended: the next in the queue may go; ids that were given up meanwhile are passed over. */
  #advance(): void {
    const { calls } = this.#options.config.limits;
    while (this.#queue.length > 0 && this.#pending.inFlight < calls) {
      const next = this.#queue.shift();
      const call = next && this.#pending.byId.get(next.id);
      if (next && call) this.#send(next.id, call, next.request);
    }
    if (this.#state === 'draining') this.#closeWhenDrained();
  }

  #onOverdue(id: number, call: PendingCall): void {
    const isCapped = call.isRelayed && call.deadline === call.latest;
    const waited = isCapped ? this.#options.config.timeouts.callCapMs : call.waitMs;
    this.#abandon(id, 'timed out', timedOut(this.#server, waited));
  }

  /** Gives up on a request and tells the server (rules 25 and 42), if it ever heard of it. */
  #abandon(id: number, reason: string, error: unknown): void {
    const call = this.#pending.take(id);
    if (call === undefined) return;
    call.reject(error);
    if (call.isSent) {
      const params = `{"requestId":${id},"reason":"${reason}"}`;
      void this.#transport
        .sendOther(notificationText('notifications/cancelled', params))
        .then(() => this.#transport.forget(id));
    }
    this.#advance();
  }

  #onSendFailed(id: number, problem: SendProblem): void {
    const call = this.#pending.take(id);
    if (call === undefined) return;
    const { neverSent, reason } = problem;
    call.reject(neverSent ? new NotSent(this.#server, reason) : unavailable(this.#server, reason));
    this.#advance();
  }

  #onLost(reason: string): void {
    if (this.#state !== 'open') return;
    this.#endReason = reason;
    for (const { id } of this.#queue) this.#pending.take(id)?.reject(new NotSent(this.#server, reason));
    void this.drain();
    this.#options.onEnd(reason);
  }

  #onClose(reason: string): void {
    if (this.#state === 'closed') return;
    const wasOpen = this.#state === 'open';
    this.#endReason = reason;
    this.#rejectAll(unavailable(this.#server, reason));
    void this.#close();
    if (wasOpen) this.#options.onEnd(reason);
  }

  #rejectAll(failure: Failure): void {
    this.#state = 'closed';
    const notSent = new NotSent(this.#server, this.#endReason);
    for (const id of [...this.#pending.byId.keys()]) {
      const call = this.#pending.take(id);
      call?.reject(call.isSent ? failure : notSent);
    }
    this.#queue = [];
  }

  #closeWhenDrained(): void {
    if (this.#pending.byId.size === 0) void this.#close();
  }

  #close(): Promise<void> {
    this.#state = 'closed';
    this.#pending.stop();
    this.#closing ??= this.#transport.close().finally(() => this.#onDrained?.());
    return this.#closing;
  }
}
