import type { ServerConfig } from '../catalog/server-config.ts';
import type { ContainerKeeper, HeldContainer } from '../containers/container-keeper.ts';
import type { Containers } from '../containers/containers.ts';
import type { Log } from '../observe/log.ts';
import {
  endOf,
  keepRunning,
  type StartedContainer,
  startAttached,
  startProblem,
  startProblemFields,
} from './container-start.ts';
import { createLineReader } from './node-line-reader.ts';
import type { ClosePurpose, Transport, TransportEvents } from './transport.ts';

/**
 * A server in a container, one message a line on the standard input and output of its process, over the engine's
 * attach stream. The container outlives us: one that runs already is attached to as it is, and if it then does not
 * answer it is stopped, so that the next attempt starts it.
 */
export interface ContainerTransportDependencies {
  readonly containers: Containers;
  readonly keeper: Pick<ContainerKeeper, 'acquire'>;
  readonly log: Log;
}

const mostUnreadLength = 64 * 1024 * 1024;
/** How long a server that ran before us may take for the handshake, ms. */
const longestSilenceMs = 10_000;

export class ContainerStdioTransport implements Transport {
  readonly pid = undefined;
  readonly #config: ServerConfig;
  readonly #events: TransportEvents;
  readonly #dependencies: ContainerTransportDependencies;
  readonly #opening: Promise<void>;
  #held: HeldContainer | undefined;
  #started: StartedContainer | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #outgoing = '';
  #isFlushPlanned = false;
  #isFull = false;
  #isOver = false;
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

  sendRequest(_id: number, text: string): void {
    this.#write(text);
  }

  async sendOther(text: string): Promise<void> {
    this.#write(text);
  }

  ready(): void {
    clearTimeout(this.#silence);
    const { containers, log } = this.#dependencies;
    if (this.#held) keepRunning(containers, this.#held, log);
  }

  forget(): void {}

  async close(purpose: ClosePurpose): Promise<void> {
    clearTimeout(this.#silence);
    this.#flush();
    this.#isOver = true;
    await this.#opening;
    this.#started?.attachment.detach();
    // What ended by itself may be coming back by itself.
    await this.#held?.release(this.#hasEnded && purpose === 'stop' ? 'let-go' : purpose);
  }

  async #open(sessionId: string | undefined): Promise<void> {
    const { containers, keeper } = this.#dependencies;
    this.#held = await keeper.acquire(this.#config, sessionId);
    if (this.#isOver) return;
    const started = await startAttached(containers, this.#held);
    this.#started = started;
    this.#listen(started);
    if (started.wasRunning) this.#greetSurvivor();
    this.#flush();
  }

  #onStartFailed(error: unknown): void {
    const { log } = this.#dependencies;
    log.warn(startProblemFields(this.#config, error), 'A container could not be started.');
    this.#end(startProblem(error));
  }

  #listen({ attachment }: StartedContainer): void {
    const { lineBytes } = this.#config.limits;
    const read = createLineReader({
      longestLineBytes: lineBytes,
      onLine: (line) => {
        if (!this.#isOver) this.#events.onMessage(line);
      },
      onTooLong: () => this.#end(`it sent a line of more than ${lineBytes} bytes`),
    });
    const decoder = new TextDecoder();
    attachment.onStdout((chunk) => read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)));
    attachment.onStderr((chunk) => this.#events.onStderr(decoder.decode(chunk, { stream: true })));
    attachment.onDrain(() => {
      this.#isFull = false;
      this.#flush();
    });
    attachment.onEnd(() => void this.#onEnded());
  }

  /** The service before us may have ended in the middle of a line. */
  #greetSurvivor(): void {
    this.#outgoing = `\n${this.#outgoing}`;
    const waitMs = Math.min(longestSilenceMs, this.#config.timeouts.startMs / 2);
    this.#silence = setTimeout(() => this.#end('it does not answer and will be started anew'), waitMs);
  }

  #write(text: string): void {
    if (this.#isOver) return;
    // Newlines between JSON tokens are legal in a message and would end it here.
    this.#outgoing += /[\r\n]/.test(text) ? `${text.replace(/[\r\n]/g, ' ')}\n` : `${text}\n`;
    if (this.#outgoing.length > mostUnreadLength) this.#end('it does not read what it is sent');
    if (this.#isFlushPlanned) return;
    this.#isFlushPlanned = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#isFlushPlanned = false;
    if (this.#isOver || this.#isFull || this.#started === undefined || this.#outgoing === '') return;
    const text = this.#outgoing;
    this.#outgoing = '';
    this.#isFull = !this.#started.attachment.write(text);
  }

  async #onEnded(): Promise<void> {
    if (this.#isOver || this.#held === undefined || this.#started === undefined) return;
    this.#hasEnded = true;
    const { reason, ...end } = await endOf(this.#dependencies.containers, this.#held, this.#started);
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.onClose(reason, end);
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.onClose(reason);
  }
}
