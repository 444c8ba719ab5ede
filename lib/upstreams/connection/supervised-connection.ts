import { createSingleFlight } from '../../async/single-flight.ts';
import { unlessAborted } from '../../async/unless-aborted.ts';
import type { ListedTool } from '../../catalog/catalog.ts';
import type { ServerFeatures } from '../../catalog/features.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { type Failure, toFailure } from '../../failure.ts';
import type { LogLevel } from '../../json-rpc/log-level.ts';
import type { RawAnswer } from '../../json-rpc/raw-answer.ts';
import type { ServerNotifications } from '../multiplexer/receiver.ts';
import { createSessionPreferences, type SessionPreferences } from '../sessions/session-preferences.ts';
import { type ConnectionSubscriptions, isSubscription } from '../sessions/subscriptions.ts';
import { createWaitingClients } from '../sessions/waiting-clients.ts';
import type { LogLines } from '../transports/log-lines.ts';
import type { ClosePurpose, ServerEnd } from '../transports/transport.ts';
import { NotSent, unavailable } from '../upstream-failures.ts';
import type { UpstreamRequest, UpstreamStatus } from '../upstreams.ts';
import { type ConnectDependencies, type Connection, connect } from './connect.ts';
import {
  createIdleWatch,
  createRestarts,
  type IdleWatch,
  type Restarts,
  restAfterFailureMs,
} from './connection-timers.ts';
import { createServerFailures, type ServerFailures } from './failure-hints.ts';
import { createListings, type Listings } from './listings.ts';
import {
  createPendingCloses,
  createServerCloses,
  type PendingCloses,
  type ServerCloses,
} from './pending-closes.ts';

/**
 * One connection that is opened when first needed, shared by all who need it, and brought back when it dies.
 * Concurrent callers share one start, and a failed start is forgotten: the next call may try again. Nothing
 * that was sent is sent again; what never left us is, once.
 */
export class SupervisedConnection {
  state: UpstreamStatus['state'] = 'idle';
  lastFailure: Failure | undefined;
  connectedAt: Date | undefined;
  readonly preferences: SessionPreferences;
  readonly idleWatch: IdleWatch;
  readonly #dependencies: ConnectDependencies;
  readonly #options: SupervisedOptions;
  readonly #restarts: Restarts;
  readonly #listings: Listings;
  /** What may still work though nobody waits for it: nothing that a start would meet. */
  readonly #closings: PendingCloses = createPendingCloses();
  readonly #endings: ServerCloses;
  readonly #failures: ServerFailures;
  #live: Connection | undefined;
  readonly #starts = createSingleFlight((signal) => this.#attempt(signal));
  readonly #waiting = createWaitingClients();
  #isClosed = false;
  #stopPurpose: ClosePurpose = 'stop';

  constructor(dependencies: ConnectDependencies, options: SupervisedOptions) {
    this.#dependencies = dependencies;
    this.#options = options;
    this.#endings = createServerCloses(options.config.name);
    this.#failures = createServerFailures({ ...options, log: dependencies.log });
    this.preferences = createSessionPreferences({
      live: () => this.#live,
      logLevel: options.logLevel,
      subscriptions: options.subscriptions,
      waitMs: options.config.timeouts.callMs,
    });
    this.#restarts = createRestarts({
      now: dependencies.now,
      restMs: restAfterFailureMs[options.config.transport],
      // Its failures are in `lastFailure` and the log.
      start: () => void this.#start().catch(() => {}),
    });
    this.idleWatch = createIdleWatch({
      now: dependencies.now,
      idleMs: options.idleMs ?? options.config.timeouts.idleStopSeconds * 1000,
      isBusy: () => this.callsInFlight > 0 || this.preferences.keepAwake(),
      onIdle: () => void this.stop('it was idle'),
    });
    this.#listings = createListings({
      ...{ ...dependencies, ...options, server: options.config.name },
      live: () => this.#live,
      onToolsFailure: (error) => this.#failures.log(toFailure(error)),
    });
  }

  /** The connection that there is now. */
  get live(): Connection | undefined {
    return this.#live;
  }

  get callsInFlight(): number {
    return this.#live?.multiplexer.callsInFlight ?? 0;
  }

  request(request: UpstreamRequest): Promise<RawAnswer> {
    this.idleWatch.touch();
    return isSubscription(request.method)
      ? this.preferences.relay(request, () => this.#relay(request))
      : this.#relay(request);
  }

  async #relay(request: UpstreamRequest): Promise<RawAnswer> {
    const connection = this.#live ?? (await this.#connectionForCall(request));
    try {
      const answer = await connection.multiplexer.request(request);
      this.#restarts.reset();
      return answer;
    } catch (error) {
      if (!(error instanceof NotSent) || request.signal.aborted) throw error;
    }
    if (this.#isClosed) return await this.#options.elsewhere(request);
    return await (this.#live ?? (await this.#connectionForCall(request))).multiplexer.request(request);
  }

  /** Connects unless connected, and resolves with the tools listed then. */
  async start(): Promise<readonly ListedTool[]> {
    return (this.#live ?? (await this.#start())).tools;
  }

  /** Ends what runs and starts it anew once that is gone. */
  async restart(): Promise<readonly ListedTool[]> {
    void this.stop('it is being restarted');
    return (await this.#start()).tools;
  }

  /** Ends what runs; calls under way fail. Resolves when it is gone. The next call starts it anew. */
  stop(reason: string, purpose: ClosePurpose = 'stop'): Promise<void> {
    this.#stopPurpose = purpose;
    this.#restarts.cancel();
    this.idleWatch.stop();
    this.#listings.stop();
    const failure = unavailable(this.#options.config.name, reason);
    this.#endings.add(this.#starts.abandon(failure));
    if (this.#live) this.#endings.add(this.#live.multiplexer.fail(failure, purpose));
    this.#live = undefined;
    this.#restarts.reset();
    this.#setState('idle');
    return this.#endings.all();
  }

  /** Ends for good; resolves when every process and socket is gone. */
  async close(reason: string, purpose: ClosePurpose): Promise<void> {
    this.#isClosed = true;
    await this.stop(reason, purpose);
    await this.#closings.all();
  }

  /** Ends for good once the calls under way have finished. */
  async drain(purpose: ClosePurpose): Promise<void> {
    this.#isClosed = true;
    this.#stopPurpose = purpose;
    await this.#starts.settled();
    await this.#live?.multiplexer.drain(purpose);
    await this.close('it was stopped', purpose);
  }

  /** A call may wait for a start under way, and may cause one, but not hammer a server that does not start. */
  #connectionForCall(request: UpstreamRequest): Promise<Connection> {
    const mayStart = this.#starts.isUnderWay() || this.#restarts.mayStartForCall();
    if (!mayStart && this.lastFailure) return Promise.reject(this.lastFailure);
    return this.#waiting.during(request, unlessAborted(this.#start(), request.signal));
  }

  #start(): Promise<Connection> {
    if (this.#isClosed) return Promise.reject(unavailable(this.#options.config.name, 'it was stopped'));
    this.#restarts.cancel();
    return this.#starts.join();
  }

  async #attempt(signal: AbortSignal): Promise<Connection> {
    this.#setState('connecting');
    try {
      await this.#endings.untilGone(signal);
      this.#failures.begin();
      const connection = await connect(this.#dependencies, {
        ...this.#options,
        signal,
        starter: this.#waiting.first,
        onEnd: (ended, reason, end) => this.#onEnd(ended, reason, end),
        closePurpose: () => this.#closePurpose(signal),
        onListChanged: () => this.#listings.toolsChanged(),
        onUnsolicited: (notification) => {
          if (!this.#listings.take(notification)) this.#options.onUnsolicited?.(notification);
        },
        onPendingClose: this.#endings.add,
      });
      if (signal.aborted) {
        this.#endings.add(connection.multiplexer.fail(toFailure(signal.reason), this.#stopPurpose));
        throw signal.reason;
      }
      this.#onConnected(connection);
      return connection;
    } catch (error) {
      if (signal.aborted) throw error;
      const failure = this.#failures.explained(toFailure(error), true);
      this.#onStartFailed(failure);
      throw failure;
    }
  }

  #onConnected(connection: Connection): void {
    this.#live = connection;
    this.connectedAt = new Date(this.#dependencies.wallClock());
    this.#restarts.up();
    this.lastFailure = undefined;
    this.#setState('connected');
    this.#dependencies.log.info({ server: this.#options.config.name }, 'The server is connected.');
    this.idleWatch.start();
    this.preferences.sendAll(connection);
    if (this.#options.purpose === 'session') return;
    this.#options.onTools(connection.tools);
    void this.#listOffers(connection);
  }

  async #listOffers(connection: Connection): Promise<void> {
    await this.#listings.listFeaturesOf(connection);
    const isDone = this.#options.purpose === 'listing' && this.#live === connection;
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
    if (ended !== this.#live) return;
    this.#live = undefined;
    this.#closings.add(ended.multiplexer.drain('let-go'));
    this.idleWatch.stop();
    this.#restarts.down();
    this.lastFailure = this.#failures.explained(unavailable(this.#options.config.name, reason, end), false);
    this.#setState(this.#options.purpose === 'session' ? 'idle' : 'failed');
    this.#failures.log(this.lastFailure);
    if (this.#options.purpose !== 'session') void this.#comeBack(this.lastFailure, end?.staysDown);
  }

  /** What somebody stopped on purpose stays down until it is needed. */
  async #comeBack(failure: Failure, staysDown: Promise<boolean> | undefined): Promise<void> {
    const isWanted = staysDown === undefined || !(await staysDown);
    // A call, a restart or the end of it all was faster.
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

/** Which connection it is, and who hears of it. */
export interface SupervisedOptions
  extends Pick<ServerNotifications, 'onUnsolicited' | 'onUndelivered' | 'onAskedBack'> {
  readonly config: ServerConfig;
  readonly logLines: LogLines;
  /**
   * `shared`: kept running, tools listed at each start. `listing`: stopped once the tools are listed.
   * `session`: serves one session alone; not restarted, because its state died with it.
   */
  readonly purpose: 'shared' | 'listing' | 'session';
  /** The MCP session it serves; only for `session`. */
  readonly sessionId?: string;
  /** Milliseconds without a call after which it ends; absent: the config's. */
  readonly idleMs?: number;
  /** False before it is committed: what a failed start leaves is then removed. */
  readonly isCommitted: () => boolean;
  readonly onTools: (tools: readonly ListedTool[]) => void;
  /** What it offers besides tools was listed. */
  readonly onFeatures: (features: ServerFeatures) => void;
  /** Resources that its sessions want to hear of; absent: another connection looks after them. */
  readonly subscriptions: ConnectionSubscriptions | undefined;
  readonly onStatus: () => void;
  /** For a call that it never sent, now that it is closed. */
  readonly elsewhere: (request: UpstreamRequest) => Promise<RawAnswer>;
  /** How verbose it is to be; undefined: as it likes. */
  readonly logLevel: () => LogLevel | undefined;
}
