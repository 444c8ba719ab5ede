import { defaultPath, type ServerConfig } from '../../config/server-config.ts';
import { Failure } from '../../failure.ts';
import { openStreamableHttp } from '../../upstreams/transports/http/node-streamable-http-transport.ts';
import type { ClosePurpose, Transport, TransportEvents } from '../../upstreams/transports/transport.ts';
import { type ContainerDependencies, type ContainerLife, createContainerLife } from './container-life.ts';
import type { StartedContainer } from './container-start.ts';
import { type Unanswered, unansweredReason, untilAnswers } from './mcp-readiness.ts';

/**
 * A server in a container that speaks Streamable HTTP: the transport for addresses, once the container has started and
 * answers. Its output is attached as well, for its log and to notice its end at once.
 */
export class ContainerHttpTransport implements Transport {
  readonly pid = undefined;
  readonly #config: ServerConfig;
  readonly #events: TransportEvents;
  readonly #life: ContainerLife;
  readonly #waiting = new Map<number, string>();
  #inner: Transport | undefined;
  #blockedBy: string | undefined;

  constructor(
    config: ServerConfig,
    events: TransportEvents,
    dependencies: ContainerDependencies,
    sessionId: string | undefined,
  ) {
    this.#config = config;
    this.#events = events;
    const onStarted = (started: StartedContainer) => this.#onStarted(started);
    this.#life = createContainerLife({ ...dependencies, config, sessionId, events, onStarted });
  }

  get blockedBy(): string | undefined {
    return this.#inner ? undefined : this.#blockedBy;
  }

  sendRequest(id: number, text: string): void {
    if (this.#inner) this.#inner.sendRequest(id, text);
    else this.#waiting.set(id, text);
  }

  async sendOther(text: string): Promise<void> {
    await this.#life.opening;
    await this.#inner?.sendOther(text);
  }

  ready(protocolVersion: string): void {
    this.#inner?.ready(protocolVersion);
    this.#life.keepRunning();
  }

  forget(id: number): void {
    this.#waiting.delete(id);
    this.#inner?.forget(id);
  }

  async close(purpose: ClosePurpose): Promise<void> {
    await this.#life.close(purpose, (hasEnded) => this.#inner?.close(purpose, hasEnded));
  }

  async #onStarted(started: StartedContainer): Promise<void> {
    this.#listen(started);
    const config = this.#addressed(started);
    const { url, headers } = config;
    const onUnanswered = (problem: Unanswered) => {
      this.#blockedBy = unansweredReason(problem, started.facts);
    };
    await untilAnswers({ url, headers, fetch, signal: this.#life.over, onUnanswered });
    this.#inner = openStreamableHttp(config, this.#events);
    for (const [id, text] of this.#waiting) this.#inner.sendRequest(id, text);
    this.#waiting.clear();
  }

  #addressed({ facts: { address } }: StartedContainer): ServerConfig & { url: string } {
    if (address === undefined) throw new Failure('upstream_unavailable', 'Its container has no address.');
    return { ...this.#config, url: `http://${address}${this.#config.path ?? defaultPath}` };
  }

  #listen({ attachment }: StartedContainer): void {
    for (const listen of [attachment.onStdout, attachment.onStderr]) {
      const decoder = new TextDecoder();
      listen((chunk) => this.#events.onStderr(decoder.decode(chunk, { stream: true })));
    }
  }
}
