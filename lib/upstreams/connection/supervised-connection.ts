import type { ListedTool } from '../../catalog/catalog.ts';
import type { ServerFeatures } from '../../catalog/features.ts';
import { type Failure, toFailure } from '../../failure.ts';
import type { LogLevel } from '../../json-rpc/log-level.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import { createSessionPreferences, type SessionPreferences } from '../sessions/session-preferences.ts';
import type { ConnectionSubscriptions } from '../sessions/subscriptions.ts';
import type { ClosePurpose, ServerEnd } from '../transports/transport.ts';
import { NotSent, unavailable } from '../upstream-failures.ts';
import type { UpstreamRequest, UpstreamStatus } from '../upstreams.ts';
import type { ConnectDependencies, Connection, ConnectOptions } from './connect.ts';
import {
  createIdleTimer,
  createRestarts,
  type IdleTimer,
  type Restarts,
  restAfterFailureMs,
} from './connection-timers.ts';
import { createServerFailures, type ServerFailures } from './failure-hints.ts';
import { createListings, type Listings } from './listings.ts';
import { createPendingCloses, type PendingCloses } from './pending-closes.ts';
import { createStarts, type Starts } from './starts.ts';

export interface SupervisedOptions
  extends Pick<
    ConnectOptions,
    'config' | 'sessionId' | 'purpose' | 'logLines' | 'onUnsolicited' | 'onUndelivered' | 'onAskedBack'
  > {
  /** Milliseconds without a call after which the connection is closed; absent: as in the config. */
  readonly idleMs?: number;
  /** False before the config is committed: a start that fails then removes its container. */
  readonly isCommitted: () => boolean;
  readonly onTools: (tools: readonly ListedTool[]) => void;
  readonly onFeatures: (features: ServerFeatures) => void;
  /** The subscriptions that this connection keeps up; undefined: another connection does. */
  readonly subscriptions: ConnectionSubscriptions | undefined;
  readonly onStatus: () => void;
  /** Takes a call that this connection never sent and, once closed, cannot send. */
  readonly elsewhere: (request: UpstreamRequest) => Promise<RawAnswer>;
  /** Undefined: the server's own default. */
  readonly logLevel: () => LogLevel | undefined;
}

/**
 * One connection that is opened when first needed, shared by all calls, and opened again when it breaks. After a failed
 * start the next call may try again. A request that may have reached the server is never sent again; one that certainly
 * did not is sent once more.
 */
export class SupervisedConnection {
  state: UpstreamStatus['state'] = 'idle';
  lastFailure: Failure | undefined;
  connectedAt: Date | undefined;
  /** The open connection. */
  live: Connection | undefined;
  readonly preferences: SessionPreferences;
  readonly idleTimer: IdleTimer;
  readonly #dependencies: ConnectDependencies;
  readonly #options: SupervisedOptions;
  readonly #restarts: Restarts;
  readonly #listings: Listings;
  readonly #starts: Starts;
  readonly #failures: ServerFailures;
  /** Ended connections whose last answers are still awaited. Starts need not wait for these. */
  readonly #drains: PendingCloses = createPendingCloses();
  #isClosed = false;
  #stopPurpose: ClosePurpose = 'stop';

  constructor(dependencies: ConnectDependencies, options: SupervisedOptions) {
    const { config } = options;
    const live = () => this.live;
    this.#dependencies = dependencies;
    this.#options = options;
    this.#failures = createServerFailures({ ...options, log: dependencies.log });
    this.preferences = createSessionPreferences({ ...options, live, waitMs: config.timeouts.callMs });
    this.#restarts = createRestarts({
      now: dependencies.now,
      restMs: restAfterFailureMs[config.transport],
      // Its failures are in `lastFailure` and the log.
      start: () => void this.#start().catch(() => {}),
    });
    this.idleTimer = createIdleTimer({
      now: dependencies.now,
      idleMs: options.idleMs ?? config.timeouts.idleStopSeconds * 1000,
      isBusy: () => this.callsInFlight > 0 || this.preferences.keepAwake(),
      onIdle: () => void this.stop('it was idle'),
    });
    this.#listings = createListings({
      ...{ ...dependencies, ...options, server: config.name, live },
      onToolsFailure: (error) => this.#failures.log(toFailure(error)),
    });
    this.#starts = createStarts(dependencies, {
      ...options,
      failures: this.#failures,
      closePurpose: (signal) => this.#closePurpose(signal),
      onBegin: () => this.#setState('connecting'),
      onConnected: (connection) => this.#onConnected(connection),
      onFailed: (failure) => this.#onStartFailed(failure),
      onEnd: (ended, reason, end) => this.#onEnd(ended, reason, end),
      onListChanged: () => this.#listings.toolsChanged(),
      onUnsolicited: (notification) => {
        if (!this.#listings.receive(notification)) options.onUnsolicited?.(notification);
      },
    });
  }

  get callsInFlight(): number {
    return this.live?.multiplexer.callsInFlight ?? 0;
  }

  async request(request: UpstreamRequest): Promise<RawAnswer> {
    this.idleTimer.touch();
    const connection = this.live ?? (await this.#connectionForCall(request));
    try {
      const answer = await connection.multiplexer.request(request);
      this.#restarts.reset();
      return answer;
    } catch (error) {
      if (!(error instanceof NotSent) || request.signal.aborted) throw error;
    }
    if (this.#isClosed) return await this.#options.elsewhere(request);
    return await (this.live ?? (await this.#connectionForCall(request))).multiplexer.request(request);
  }

  /** Connects unless connected, and resolves with the tools listed then. */
  async start(): Promise<readonly ListedTool[]> {
    return (this.live ?? (await this.#start())).tools;
  }

  /** Stops the server, and starts it again once it is gone. */
  async restart(): Promise<readonly ListedTool[]> {
    void this.stop('it is being restarted');
    return (await this.#start()).tools;
  }

  /** Calls in flight fail. Resolves when the server is gone. The next call starts it again. */
  stop(reason: string, purpose: ClosePurpose = 'stop'): Promise<void> {
    const { closes } = this.#starts;
    this.#stopPurpose = purpose;
    this.#restarts.cancel();
    this.idleTimer.stop();
    this.#listings.stop();
    const failure = unavailable(this.#options.config.name, reason);
    this.#starts.abandon(failure);
    if (this.live) closes.add(this.live.multiplexer.fail(failure, purpose));
    this.live = undefined;
    this.#restarts.reset();
    this.#setState('idle');
    return closes.all();
  }

  /** Ends for good; resolves when every process and socket is gone. */
  async close(reason: string, purpose: ClosePurpose): Promise<void> {
    this.#isClosed = true;
    await this.stop(reason, purpose);
    await this.#drains.all();
  }

  /** Ends for good once the calls in flight have finished. */
  async drain(purpose: ClosePurpose): Promise<void> {
    this.#isClosed = true;
    this.#stopPurpose = purpose;
    await this.#starts.settled();
    await this.live?.multiplexer.drain(purpose);
    await this.close('it was stopped', purpose);
  }

  /** A call joins a start under way, and may cause one, but not at once after a failed one. */
  #connectionForCall(request: UpstreamRequest): Promise<Connection> {
    const mayStart = this.#starts.isUnderWay() || this.#restarts.mayStartForCall();
    return mayStart || !this.lastFailure ? this.#start(request) : Promise.reject(this.lastFailure);
  }

  #start(request?: UpstreamRequest): Promise<Connection> {
    if (this.#isClosed) return Promise.reject(unavailable(this.#options.config.name, 'it was stopped'));
    this.#restarts.cancel();
    return this.#starts.join(request);
  }

  #onConnected(connection: Connection): void {
    this.live = connection;
    this.connectedAt = new Date(this.#dependencies.wallClock());
    this.#restarts.up();
    this.lastFailure = undefined;
    this.#setState('connected');
    this.#dependencies.log.info({ server: this.#options.config.name }, 'The server is connected.');
    this.idleTimer.start();
    this.preferences.sendAll(connection);
    if (this.#options.purpose === 'session') return;
    this.#options.onTools(connection.tools);
    void this.#listFeatures(connection);
  }

  async #listFeatures(connection: Connection): Promise<void> {
    await this.#listings.listFeaturesOf(connection);
    const isDone = this.#options.purpose === 'listing' && this.live === connection;
    if (isDone) void this.stop('its tools are listed', 'discard');
  }

  #onStartFailed(failure: Failure): void {
    const isChanged = failure.message !== this.lastFailure?.message;
    this.lastFailure = failure;
    this.#setState('failed');
    if (isChanged) this.#failures.log(failure);
    if (this.#options.purpose !== 'session') this.#restarts.plan(true);
  }

  #onEnd(ended: Connection, reason: string, end?: ServerEnd): void {
    if (ended !== this.live) return;
    this.live = undefined;
    this.#drains.add(ended.multiplexer.drain('let-go'));
    this.idleTimer.stop();
    this.#restarts.down();
    this.lastFailure = this.#failures.explained(unavailable(this.#options.config.name, reason, end), false);
    this.#setState(this.#options.purpose === 'session' ? 'idle' : 'failed');
    this.#failures.log(this.lastFailure);
    if (this.#options.purpose !== 'session')
      void this.#restartUnlessStopped(this.lastFailure, end?.staysDown);
  }

  /** A server that was stopped on purpose stays down until it is needed. */
  async #restartUnlessStopped(failure: Failure, staysDown: Promise<boolean> | undefined): Promise<void> {
    const isWanted = staysDown === undefined || !(await staysDown);
    // A call, a restart or a close came first.
    if (this.lastFailure !== failure || this.state !== 'failed') return;
    if (isWanted) this.#restarts.plan(false);
    else this.#setState('idle');
  }

  #closePurpose(signal: AbortSignal): ClosePurpose {
    if (signal.aborted || this.#isClosed) return this.#stopPurpose;
    return this.#options.purpose !== 'listing' && this.#options.isCommitted() ? 'stop' : 'discard';
  }

  #setState(state: UpstreamStatus['state']): void {
    if (state === this.state) return;
    this.state = state;
    this.#options.onStatus();
  }
}
