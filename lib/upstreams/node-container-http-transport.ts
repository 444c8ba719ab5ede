import type { ServerConfig } from '../catalog/server-config.ts';
import type { HeldContainer } from '../containers/container-keeper.ts';
import { Failure } from '../http/failure.ts';
import {
  endOf,
  keepRunning,
  type StartedContainer,
  startAttached,
  startProblem,
  startProblemFields,
} from './container-start.ts';
import { untilAnswers } from './mcp-readiness.ts';
import type { ContainerTransportDependencies } from './node-container-stdio-transport.ts';
import { openStreamableHttp } from './node-streamable-http-transport.ts';
import type { ClosePurpose, Transport, TransportEvents } from './transport.ts';

/**
 * A server in a container that speaks Streamable HTTP: the transport for addresses, once the container is started and
 * answers. Its output is attached to as well, for its log and to hear of its end at once.
 */
export class ContainerHttpTransport implements Transport {
  readonly pid = undefined;
  readonly #config: ServerConfig;
  readonly #events: TransportEvents;
  readonly #dependencies: ContainerTransportDependencies;
  readonly #opening: Promise<void>;
  readonly #over = new AbortController();
  readonly #waiting = new Map<number, string>();
  #held: HeldContainer | undefined;
  #started: StartedContainer | undefined;
  #inner: Transport | undefined;
  #hasEnded = false;

  constructor(
    config: ServerConfig,
    events: TransportEvents,
    dependencies: ContainerTransportDependencies,
    sessionId: string | undefined,
  ) {
    this.#config = config;
    this.#events = events;
    this.#dependencies = dependencies;
    this.#opening = this.#open(sessionId).catch((error: unknown) => this.#onStartFailed(error));
  }

  sendRequest(id: number, text: string): void {
    if (this.#inner) this.#inner.sendRequest(id, text);
    else this.#waiting.set(id, text);
  }

  async sendOther(text: string): Promise<void> {
    await this.#opening;
    await this.#inner?.sendOther(text);
  }

  ready(protocolVersion: string): void {
    this.#inner?.ready(protocolVersion);
    const { containers, log } = this.#dependencies;
    if (this.#held) keepRunning(containers, this.#held, log);
  }

  forget(id: number): void {
    this.#waiting.delete(id);
    this.#inner?.forget(id);
  }

  async close(purpose: ClosePurpose): Promise<void> {
    this.#over.abort();
    await this.#opening;
    await this.#inner?.close(purpose);
    this.#started?.attachment.detach();
    // What ended by itself may be coming back by itself.
    await this.#held?.release(this.#hasEnded && purpose === 'stop' ? 'let-go' : purpose);
  }

  async #open(sessionId: string | undefined): Promise<void> {
    const { containers, keeper } = this.#dependencies;
    const { signal } = this.#over;
    this.#held = await keeper.acquire(this.#config, sessionId);
    if (signal.aborted) return;
    this.#started = await startAttached(containers, this.#held);
    this.#listen(this.#started);
    const config = this.#addressed(this.#started);
    await untilAnswers({ url: config.url, headers: config.headers, fetch, signal });
    this.#inner = openStreamableHttp(config, this.#events);
    for (const [id, text] of this.#waiting) this.#inner.sendRequest(id, text);
    this.#waiting.clear();
  }

  #addressed({ facts: { address } }: StartedContainer): ServerConfig & { url: string } {
    if (address === undefined) throw new Failure('upstream_unavailable', 'Its container has no address.');
    return { ...this.#config, url: `http://${address}${this.#config.path ?? '/mcp'}` };
  }

  #onStartFailed(error: unknown): void {
    if (this.#over.signal.aborted) return;
    const { log } = this.#dependencies;
    log.warn(startProblemFields(this.#config, error), 'A container could not be started.');
    this.#over.abort();
    this.#events.onClose(startProblem(error));
  }

  #listen({ attachment }: StartedContainer): void {
    for (const listen of [attachment.onStdout, attachment.onStderr]) {
      const decoder = new TextDecoder();
      listen((chunk) => this.#events.onStderr(decoder.decode(chunk, { stream: true })));
    }
    attachment.onEnd(() => void this.#onEnded());
  }

  async #onEnded(): Promise<void> {
    if (this.#over.signal.aborted || this.#held === undefined || this.#started === undefined) return;
    this.#hasEnded = true;
    const { reason, ...end } = await endOf(this.#dependencies.containers, this.#held, this.#started);
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.#events.onClose(reason, end);
  }
}
