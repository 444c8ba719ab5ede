import type { ServerConfig } from '../../config/server-config.ts';
import type { Failure } from '../../failure.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import { cancelledText, notificationText, requestText } from '../../json-rpc/write.ts';
import type { ConnectionUsers } from '../sessions/sharing.ts';
import {
  type ClosePurpose,
  type SendProblem,
  type ServerEnd,
  type Transport,
  TransportEnd,
  type TransportEvents,
} from '../transports/transport.ts';
import { notSent, timedOut, tooManyCalls, unavailable } from '../upstream-failures.ts';
import {
  createOutsideQuestions,
  type OutsideQuestions,
  type OutsideQuestionsOptions,
} from './outside-questions.ts';
import {
  ownCall,
  type PendingCall,
  PendingCalls,
  type RelayedRequest,
  relayedCall,
} from './pending-calls.ts';
import { createReceiver, type ReceiverOptions, type ServerNotifications } from './receiver.ts';

export interface MultiplexerOptions
  extends Pick<ReceiverOptions, keyof ServerNotifications | 'sessionId' | 'onStray'>,
    Pick<OutsideQuestionsOptions, 'clients' | 'starter'> {
  /** As in the config file: only the transport knows the values of secrets. */
  readonly config: Pick<ServerConfig, 'name' | 'timeouts' | 'limits'>;
  readonly open: (events: TransportEvents) => Transport;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** The first id is one more; higher than all before where a server may still answer an earlier connection. */
  readonly lastId?: number;
  /** What becomes of the server when its end, or a message of it, ends the connection. */
  readonly closePurpose?: () => ClosePurpose;
  /** No further request can be sent. Called once, unless `fail` or `drain` came first. */
  readonly onEnd: (reason: string, end?: ServerEnd) => void;
  readonly onStderr: (chunk: string) => void;
}

/**
 * Many requests over one transport. This is the relay path: ids are our own integers, params and answers stay raw text,
 * only the few members that routing needs are checked, and a call sets no timer of its own. Nothing is sent twice; a
 * caller that gets a `NotSent` may do so.
 */
export class Multiplexer {
  readonly #options: MultiplexerOptions;
  readonly #server: string;
  readonly #transport: Transport;
  readonly #pending: PendingCalls;
  readonly #outside: OutsideQuestions;
  #lastId: number;
  #state: 'open' | 'draining' | 'closed' = 'open';
  #failure: Failure;
  #purpose: ClosePurpose = 'stop';
  readonly #end = new TransportEnd();

  constructor(options: MultiplexerOptions) {
    this.#options = options;
    this.#server = options.config.name;
    this.#lastId = options.lastId ?? 0;
    this.#failure = unavailable(this.#server, 'its connection was closed');
    this.#pending = new PendingCalls({ ...options, onOverdue: (id, call) => this.#onOverdue(id, call) });
    const { timeouts } = options.config;
    this.#outside = createOutsideQuestions({ ...options, server: this.#server, timeouts });
    const receive = createReceiver({
      ...options,
      server: this.#server,
      pending: this.#pending,
      outside: this.#outside,
      send: (text) => void this.#transport.sendOther(text),
      onAnswered: () => this.#advance(),
      onNonsense: (reason) => this.#onClose(reason),
    });
    this.#transport = options.open({
      onMessage: (message, requestId) => {
        if (this.#state !== 'closed') receive(message, requestId);
      },
      onShared: () => this.#pending.users.addUnknown(),
      isAwaited: (id) => this.#pending.byId.has(id),
      onHungUp: (id) => this.#pending.byId.get(id)?.clientChannel?.hangUp(),
      onSendFailed: (id, problem) => this.#onSendFailed(id, problem),
      onLost: (reason) => this.#onLost(reason),
      onClose: (reason, end) => this.#onClose(reason, end),
      onStderr: options.onStderr,
    });
  }

  get pid(): number | undefined {
    return this.#transport.pid;
  }

  get blockedBy(): string | undefined {
    return this.#transport.blockedBy;
  }

  get users(): ConnectionUsers {
    return this.#pending.users;
  }

  get callsInFlight(): number {
    return this.#pending.inFlight + this.#pending.waiting;
  }

  /** Relays a call of a session. Beyond the server's limit of calls it is queued. */
  request(request: RelayedRequest): Promise<RawAnswer> {
    const { signal } = request;
    const { limits } = this.#options.config;
    if (this.#state !== 'open') return Promise.reject(notSent(this.#failure));
    if (signal.aborted) return Promise.reject(signal.reason);
    const mustWait = this.#pending.inFlight >= limits.calls;
    if (mustWait && this.#pending.waiting >= limits.queue) return Promise.reject(tooManyCalls(this.#server));
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const call = relayedCall(request, {
        timeouts: this.#options.config.timeouts,
        now: this.#options.now(),
        resolve,
        reject,
        onAbort: () => this.#abandon(id, 'cancelled', signal.reason),
      });
      this.#pending.add(id, call);
      if (mustWait) this.#pending.queue(id, () => this.#send(id, call, request));
      else this.#send(id, call, request);
    });
  }

  /** A request of our own: no limit, no signal. @param waitMs How long the answer may take. */
  ask(method: string, params: string, waitMs: number): Promise<RawAnswer> {
    if (this.#state === 'closed') return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#pending.add(id, ownCall({ method, resolve, reject, now: this.#options.now(), waitMs }));
      this.#transport.sendRequest(id, requestText(id, method, params));
    });
  }

  /** Resolves once the server has received it; rejects when the connection has ended. */
  async notify(method: string, params = '{}'): Promise<void> {
    await this.#transport.sendOther(notificationText(method, params));
    if (this.#state === 'closed') throw this.#failure;
  }

  /** A client is being asked outside of calls. */
  get isAsking(): boolean {
    return this.#outside.areOpen();
  }

  rootsAnswered(mostMs: number): Promise<boolean> {
    return this.#outside.rootsAnswered(mostMs);
  }

  /** @throws Failure why the connection has ended. */
  assertOpen(): void {
    if (this.#state !== 'open') throw this.#failure;
  }

  /** The handshake is done. */
  ready(protocolVersion: string): void {
    this.#transport.ready(protocolVersion);
  }

  /** Accepts no further call, lets those in flight or queued finish, then closes. */
  drain(purpose: ClosePurpose): Promise<void> {
    this.#purpose = purpose;
    if (this.#state === 'open') this.#state = 'draining';
    if (this.#pending.byId.size === 0) void this.#close();
    return this.#end.reached;
  }

  /** Closes now; all requests fail with `failure`. Resolves when the process or connection is gone. */
  fail(failure: Failure, purpose: ClosePurpose): Promise<void> {
    this.#purpose = purpose;
    this.#failure = failure;
    this.#pending.rejectAll(failure, notSent(failure));
    return this.#close();
  }

  #send(id: number, call: PendingCall, request: RelayedRequest): void {
    this.#pending.markSent(call);
    try {
      this.#transport.sendRequest(id, requestText(id, request.method, request.params(id)));
    } catch (error) {
      this.#pending.complete(id);
      call.reject(error);
      this.#advance();
    }
  }

  /** A call has ended: the next in the queue is sent. */
  #advance(): void {
    this.#pending.sendQueued(this.#options.config.limits.calls);
    if (this.#state === 'draining' && this.#pending.byId.size === 0) void this.#close();
  }

  #onOverdue(id: number, call: PendingCall): void {
    const isCapped = call.isRelayed && call.deadline === call.latest;
    const waited = isCapped ? this.#options.config.timeouts.callCapMs : call.waitMs;
    this.#abandon(id, 'timed out', timedOut(this.#server, waited));
  }

  /** Gives up on a request and cancels it at the server (docs/protocol.md, rules 25 and 42), if it was sent. */
  #abandon(id: number, reason: string, error: unknown): void {
    const call = this.#pending.complete(id);
    if (call === undefined) return;
    call.reject(error);
    if (call.isSent) {
      void this.#transport.sendOther(cancelledText(id, reason));
      this.#transport.forget(id);
    }
    this.#advance();
  }

  #onSendFailed(id: number, problem: SendProblem): void {
    const call = this.#pending.complete(id);
    if (call === undefined) return;
    const failure = unavailable(this.#server, problem.reason);
    call.reject(problem.neverSent ? notSent(failure) : failure);
    this.#advance();
  }

  #onLost(reason: string): void {
    if (this.#state !== 'open') return;
    this.#failure = unavailable(this.#server, reason);
    this.#pending.rejectQueued(notSent(this.#failure));
    // The server runs on: the next connection may reach it again.
    void this.drain('let-go');
    this.#options.onEnd(reason);
  }

  #onClose(reason: string, end?: ServerEnd): void {
    if (this.#state === 'closed') return;
    const wasOpen = this.#state === 'open';
    void this.fail(unavailable(this.#server, reason, end), this.#options.closePurpose?.() ?? 'stop');
    if (wasOpen) this.#options.onEnd(reason, end);
  }

  #close(): Promise<void> {
    this.#state = 'closed';
    this.#pending.stop();
    this.#outside.end();
    return this.#end.begin(this.#transport, this.#purpose);
  }
}
