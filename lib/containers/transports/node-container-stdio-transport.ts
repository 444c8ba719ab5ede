import type { ServerConfig } from '../../config/server-config.ts';
import { oneLine } from '../../json/raw-json.ts';
import { createLineReader } from '../../json-rpc/node-line-reader.ts';
import type { ClosePurpose, Transport, TransportEvents } from '../../upstreams/transports/transport.ts';
import { type ContainerDependencies, type ContainerLife, createContainerLife } from './container-life.ts';
import type { StartedContainer } from './container-start.ts';

/**
 * A server in a container, one message a line on the standard input and output of its process, over the engine's attach
 * stream. The container outlives this service: a running one is attached to as it is, and stopped if it does not
 * answer, so that the next attempt starts it.
 */
const mostUnreadLength = 64 * 1024 * 1024;
/** How long a server that was already running may take for the handshake, in ms. */
const longestSilenceMs = 10_000;

export class ContainerStdioTransport implements Transport {
  readonly pid = undefined;
  readonly #config: ServerConfig;
  readonly #events: TransportEvents;
  readonly #life: ContainerLife;
  readonly #sessionId: string | undefined;
  #started: StartedContainer | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #outgoing = '';
  #isFlushPlanned = false;
  #isFull = false;

  constructor(
    config: ServerConfig,
    events: TransportEvents,
    dependencies: ContainerDependencies,
    sessionId: string | undefined,
  ) {
    this.#config = config;
    this.#events = events;
    this.#sessionId = sessionId;
    const onStarted = (started: StartedContainer) => this.#onStarted(started);
    this.#life = createContainerLife({ ...dependencies, config, sessionId, events, onStarted });
  }

  sendRequest(_id: number, text: string): void {
    this.#write(text);
  }

  async sendOther(text: string): Promise<void> {
    this.#write(text);
  }

  ready(): void {
    clearTimeout(this.#silence);
    this.#life.keepRunning();
  }

  forget(): void {}

  async close(purpose: ClosePurpose): Promise<void> {
    clearTimeout(this.#silence);
    this.#flush();
    await this.#life.close(purpose);
  }

  #onStarted(started: StartedContainer): void {
    this.#started = started;
    this.#listen(started);
    if (started.wasRunning) this.#greetSurvivor();
    this.#flush();
  }

  #listen({ attachment, wasRunning }: StartedContainer): void {
    const { lineBytes } = this.#config.limits;
    // The first bytes may be the rest of an answer to an earlier client.
    let mayBeTail = wasRunning;
    const read = createLineReader({
      longestLineBytes: lineBytes,
      onLine: (line) => {
        const isTail = mayBeTail && typeof line === 'string' && !line.startsWith('{');
        mayBeTail = false;
        if (!isTail && !this.#life.over.aborted) this.#events.onMessage(line);
      },
      onTooLong: () => this.#life.end(`it sent a line of more than ${lineBytes} bytes`),
    });
    const decoder = new TextDecoder();
    attachment.onStdout((chunk) => read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)));
    attachment.onStderr((chunk) => this.#events.onStderr(decoder.decode(chunk, { stream: true })));
    attachment.onDrain(() => {
      this.#isFull = false;
      this.#flush();
    });
  }

  /** The previous service may have ended in the middle of a line, and of calls. */
  #greetSurvivor(): void {
    if (this.#sessionId === undefined) this.#events.onShared();
    this.#outgoing = `\n${this.#outgoing}`;
    const waitMs = Math.min(longestSilenceMs, this.#config.timeouts.startMs / 2);
    this.#silence = setTimeout(() => this.#life.end('it does not answer and will be started anew'), waitMs);
  }

  #write(text: string): void {
    if (this.#life.over.aborted) return;
    this.#outgoing += `${oneLine(text)}\n`;
    if (this.#outgoing.length > mostUnreadLength) this.#life.end('it does not read what it is sent');
    if (this.#isFlushPlanned) return;
    this.#isFlushPlanned = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#isFlushPlanned = false;
    if (this.#life.over.aborted || this.#isFull || this.#started === undefined || this.#outgoing === '')
      return;
    const text = this.#outgoing;
    this.#outgoing = '';
    this.#isFull = !this.#started.attachment.write(text);
  }
}
