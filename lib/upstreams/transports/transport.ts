import type { ServerConfig } from '../../config/server-config.ts';
import type { ServerMessage } from '../../json-rpc/server-messages.ts';

/**
 * Carries messages to one MCP server and back. A transport knows bytes, processes and sockets; ids, deadlines and tools
 * belong to the multiplexer. Messages may be sent as soon as the transport is created (they wait until it is connected),
 * and every failure is reported through its events.
 */
export interface Transport {
  /** Sends a request. When it cannot be delivered, `onSendFailed` says so. */
  sendRequest(id: number, text: string): void;
  /** Sends a notification or an answer; resolves once the server has received it, or cannot. Never rejects. */
  sendOther(text: string): Promise<void>;
  /** The handshake is done with this protocol version. */
  ready(protocolVersion: string): void;
  /** The answer to this request is not awaited any more. */
  forget(id: number): void;
  /**
   * Ends the process or connection and waits until it is gone. No event follows.
   * @param hasEnded The server is gone already: its session is not ended with a request.
   */
  close(purpose: ClosePurpose, hasEnded?: boolean): Promise<void>;
  readonly pid: number | undefined;
  /** Why the server cannot be reached yet, continuing "it did not start in time: …". */
  readonly blockedBy?: string | undefined;
}

/**
 * What becomes of a container, the only kind of server that outlives its connection. `let-go`: it runs on, for the next
 * start of this service. `stop`: it is stopped, for the next start of this server. `discard`: it is removed.
 */
export type ClosePurpose = 'let-go' | 'stop' | 'discard';

/** None of these is called before the opening function has returned. */
export interface TransportEvents {
  /**
   * One message from the server. `requestId`: the message came on the stream that answers this request of ours, and belongs
   * to that (2025-11-25 basic/transports, Sending Messages).
   */
  onMessage(message: ServerMessage, requestId?: number): void;
  /**
   * Messages without a `requestId` may concern sessions of other connections: the server was in use before this connection,
   * or names no session.
   */
  onShared(): void;
  /** Whether the answer to this request is still awaited. */
  isAwaited(id: number): boolean;
  /** The server ended the stream of this request before its answer; the stream will be resumed. */
  onHungUp(id: number): void;
  /** The request will not be answered. */
  onSendFailed(id: number, problem: SendProblem): void;
  /** No further request can be sent; those in flight may still be answered. `reason`: see `onClose`. */
  onLost(reason: string): void;
  /** The connection has ended. `reason` continues "the server is unavailable: …" and is safe to show. */
  onClose(reason: string, end?: ServerEnd): void;
  /** Output of the server besides messages. */
  onStderr(chunk: string): void;
}

export interface ServerEnd {
  readonly exitCode?: number | undefined;
  /** The kernel killed the server at its memory limit. */
  readonly outOfMemory?: boolean;
  /** Resolves with true when the server was stopped on purpose, and is not restarted before it is needed. */
  readonly staysDown?: Promise<boolean>;
}

export interface SendProblem {
  readonly reason: string;
  /** The server certainly did not begin with it, so that sending it again is safe. */
  readonly neverSent: boolean;
}

/**
 * @param config With every reference resolved, so it holds secrets and must not be stored longer than needed.
 * @param sessionId The MCP session of a stateful server's connection.
 */
export type OpenTransport = (config: ServerConfig, events: TransportEvents, sessionId?: string) => Transport;

export interface Openers extends Readonly<Record<ServerConfig['transport'], OpenTransport>> {
  /** For configs with an `image`, whatever their transport; absent where there is no container engine. */
  readonly container?: OpenTransport | undefined;
}

/** Stands in for a transport that could not be opened: closes at once with this reason. */
export function unusableTransport(events: TransportEvents, reason: string): Transport {
  queueMicrotask(() => events.onClose(reason));
  return {
    pid: undefined,
    sendRequest() {},
    async sendOther() {},
    ready() {},
    forget() {},
    async close() {},
  };
}

/** Closes a transport once, however often `begin` is called: the first purpose counts. */
export class TransportEnd {
  /** Resolves when the process or connection is gone. */
  readonly reached: Promise<void>;
  #onReached = () => {};
  #isUnderWay = false;

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#onReached = resolve;
    });
  }

  /** @returns `reached` */
  begin(transport: Transport, purpose: ClosePurpose): Promise<void> {
    if (!this.#isUnderWay) transport.close(purpose).then(this.#onReached, this.#onReached);
    this.#isUnderWay = true;
    return this.reached;
  }
}
