import type { ListedTool } from '../catalog/catalog.ts';
import type { ServerConfig } from '../catalog/server-config.ts';
import { type Failure, toFailure } from '../http/failure.ts';
import { type BackOff, createBackOff } from './back-off.ts';
import { type ConnectDependencies, type Connection, connect } from './connect.ts';
import type { LogLines } from './log-lines.ts';
import type { RelayedRequest } from './multiplexer.ts';
import { createRelisting, type Relisting } from './relisting.ts';
import { NotSent, unavailable } from './upstream-failures.ts';
import type { UpstreamAnswer, UpstreamStatus } from './upstreams.ts';

/**
 * One connection that is opened when first needed, shared by all who need it, and brought back when it dies.
 * Concurrent callers share one start, and a failed start is forgotten: the next call may try again. Nothing
 * that was sent is sent again; what never left us is, once.
 */
export interface SupervisedOptions {
  readonly config: ServerConfig;
  readonly logLines: LogLines;
  /**
   * `shared`: kept running, tools listed at each start. `listing`: stopped once the tools are listed.
   * `session`: serves one session of a stateful server; not restarted, because its state died with it.
   */
  readonly purpose: 'shared' | 'listing' | 'session';
  readonly onTools: (tools: readonly ListedTool[]) => void;
  readonly onStatus: () => void;
}

type State = UpstreamStatus['state'];

/** A call meets a start that failed less than this ago: it fails at once instead of trying again. */
const pauseAfterFailureMs = { stdio: 1000, streamable_http: 100, sse: 100 };
/** A connection that lived this long was a good one. */
const goodLifeMs = 5000;
const stderrLinesLogged = 20;

export class SupervisedConnection {
  state: State = 'idle';
  lastFailure: Failure | undefined;
  connectedAt: Date | undefined;
  readonly #dependencies: ConnectDependencies;
  readonly #options: SupervisedOptions;
  readonly #backOff: BackOff = createBackOff();
  readonly #relisting: Relisting;
  readonly #closings = new Set<Promise<void>>();
  #live: Connection | undefined;
  #starting: Promise<Connection> | undefined;
  #stopStarting = new AbortController();
  #restartTimer: ReturnType<typeof setTimeout> | undefined;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #lastFailedAt = Number.NEGATIVE_INFINITY;
  #lastUsedAt = 0;
  #isClosed = false;

  constructor(dependencies: ConnectDependencies, options: SupervisedOptions) {
    this.#dependencies = dependencies;
    this.#options = options;
    this.#relisting = createRelisting({
      now: dependencies.now,
      list: async () => {
        const tools = await this.#live?.list();
        if (tools) options.onTools(tools);
      },
      onFailure: (error) => this.#log('warn', toFailure(error).message),
    });
  }

  get pid(): number | undefined {
    return this.#live?.multiplexer.pid;
  }

  get callsInFlight(): number {
    return this.#live?.multiplexer.callsInFlight ?? 0;
  }

  async request(request: RelayedRequest): Promise<UpstreamAnswer> {
    this.#lastUsedAt = this.#dependencies.now();
    const connection = this.#live ?? (await this.#connectionForCall());
    try {
      const answer = await connection.multiplexer.request(request);
      this.#backOff.reset();
      return answer;
    } catch (error) {
      if (!(error instanceof NotSent) || request.signal.aborted) throw error;
    }
    const fresh = this.#live ?? (await this.#connectionForCall());
    return await fresh.multiplexer.request(request);
  }

  /** Connects unless connected, and resolves with the tools listed then. */
  async start(): Promise<readonly ListedTool[]> {
    return (this.#live ?? (await this.#start())).tools;
  }

  /** Ends what runs and starts it anew once that is gone, so that two of it never meet. */
  async restart(): Promise<readonly ListedTool[]> {
    return (await this.#start(this.stop('it is being restarted'))).tools;
  }

  /** Ends what runs; calls under way fail. Resolves when it is gone. The next call starts it anew. */
  stop(reason: string): Promise<void> {
    clearTimeout(this.#restartTimer);
    clearTimeout(this.#idleTimer);
    this.#relisting.stop();
    this.#stopStarting.abort(unavailable(this.#options.config.name, reason));
    this.#stopStarting = new AbortController();
    this.#starting = undefined;
    const live = this.#live;
    this.#live = undefined;
    const gone = live?.multiplexer.fail(unavailable(this.#options.config.name, reason)) ?? Promise.resolve();
    this.#track(gone);
    this.#backOff.reset();
    this.#lastFailedAt = Number.NEGATIVE_INFINITY;
    this.#setState('idle');
    return gone;
  }

  /** Ends for good; resolves when every process and socket is gone. */
  async close(reason = 'it was stopped'): Promise<void> {
    this.#isClosed = true;
    void this.stop(reason);
    while (this.#closings.size > 0) await Promise.all(this.#closings);
  }

  /** Ends for good once the calls under way have finished. */
  async drain(): Promise<void> {
    this.#isClosed = true;
    await this.#starting?.catch(() => {});
    await this.#live?.multiplexer.drain();
    await this.close();
  }

  /** A call may wait for a start under way, and may cause one, but not hammer a server that does not start. */
  #connectionForCall(): Promise<Connection> {
    const pause = pauseAfterFailureMs[this.#options.config.transport];
    const hasJustFailed = this.#dependencies.now() - this.#lastFailedAt < pause;
    if (this.#starting === undefined && hasJustFailed && this.lastFailure)
      return Promise.reject(this.lastFailure);
    return this.#start();
  }

  #start(after?: Promise<void>): Promise<Connection> {
    if (this.#isClosed) return Promise.reject(unavailable(this.#options.config.name, 'it was stopped'));
    if (this.#starting === undefined) {
      const starting = this.#attempt(this.#stopStarting.signal, after);
      this.#starting = starting;
      const forget = () => {
        if (this.#starting === starting) this.#starting = undefined;
      };
      starting.then(forget, forget);
    }
    return this.#starting;
  }

  async #attempt(signal: AbortSignal, after?: Promise<void>): Promise<Connection> {
    clearTimeout(this.#restartTimer);
    this.#setState('connecting');
    try {
      await after;
      const connection = await connect(this.#dependencies, {
        config: this.#options.config,
        logLines: this.#options.logLines,
        listsTools: this.#options.purpose !== 'session',
        signal,
        onEnd: (ended, reason) => this.#onEnd(ended, reason),
        onListChanged: () => this.#relisting.request(),
        onClosing: (closing) => this.#track(closing),
      });
      if (signal.aborted) {
        this.#track(connection.multiplexer.fail(toFailure(signal.reason)));
        throw signal.reason;
      }
      this.#onConnected(connection);
      return connection;
    } catch (error) {
      if (!signal.aborted) this.#onStartFailed(toFailure(error));
      throw error;
    }
  }

  #onConnected(connection: Connection): void {
    this.#live = connection;
    this.connectedAt = new Date(this.#dependencies.now());
    this.lastFailure = undefined;
    this.#lastFailedAt = Number.NEGATIVE_INFINITY;
    this.#setState('connected');
    this.#log('info', 'The server is connected.');
    this.#watchIdleness();
    if (this.#options.purpose !== 'session') this.#options.onTools(connection.tools);
    if (this.#options.purpose === 'listing') void this.stop('its tools are listed');
  }

  #onStartFailed(failure: Failure): void {
    const isNews = failure.message !== this.lastFailure?.message;
    this.lastFailure = failure;
    this.#lastFailedAt = this.#dependencies.now();
    this.#setState('failed');
    if (isNews) this.#logFailure(failure);
    this.#scheduleRestart();
  }

  #onEnd(ended: Connection, reason: string): void {
    if (ended !== this.#live) return;
    this.#live = undefined;
    this.#track(ended.multiplexer.drain());
    clearTimeout(this.#idleTimer);
    const livedMs = this.#dependencies.now() - (this.connectedAt?.getTime() ?? 0);
    if (livedMs > goodLifeMs) this.#backOff.reset();
    this.lastFailure = unavailable(this.#options.config.name, reason);
    this.#setState(this.#options.purpose === 'session' ? 'idle' : 'failed');
    this.#logFailure(this.lastFailure);
    this.#scheduleRestart();
  }

  #scheduleRestart(): void {
    if (this.#options.purpose === 'session' || this.#isClosed) return;
    clearTimeout(this.#restartTimer);
    // Failures are in `lastFailure` and the log by then.
    this.#restartTimer = setTimeout(() => this.#start().catch(() => {}), this.#backOff.next());
  }

  #watchIdleness(): void {
    const idleMs = this.#options.config.timeouts.idleStopSeconds * 1000;
    if (idleMs === 0) return;
    this.#lastUsedAt = this.#dependencies.now();
    const look = () => {
      const restMs = this.#lastUsedAt + idleMs - this.#dependencies.now();
      if (restMs <= 0 && this.callsInFlight === 0) void this.stop('it was idle');
      else this.#idleTimer = setTimeout(look, Math.max(restMs, 250));
    };
    this.#idleTimer = setTimeout(look, idleMs);
  }

  #track(closing: Promise<void>): void {
    const tracked = closing.finally(() => this.#closings.delete(tracked));
    this.#closings.add(tracked);
  }

  #setState(state: State): void {
    if (state === this.state) return;
    this.state = state;
    this.#options.onStatus();
  }

  #logFailure(failure: Failure): void {
    const stderr = this.#options.logLines.tail(stderrLinesLogged);
    this.#dependencies.log.warn({ server: this.#options.config.name, stderr }, failure.message);
  }

  #log(level: 'info' | 'warn', message: string): void {
    this.#dependencies.log[level]({ server: this.#options.config.name }, message);
  }
}
