import type { ServerConfig } from '../../config/server-config.ts';
import type { ServerMessage } from '../../json-rpc/server-message.ts';

/**
 * What carries messages to one MCP server and back. A transport knows bytes, processes and sockets; it knows
 * nothing of ids, deadlines or tools, which are the multiplexer's. It works from the moment it is opened (what
 * is sent earlier waits inside), and reports every failure through its events.
 */
export interface Transport {
  /** Sends a request. When it cannot be delivered, `onSendFailed` says so. */
  sendRequest(id: number, text: string): void;
  /** Sends a notification or an answer; resolves once the server has taken it, or cannot. Never rejects. */
  sendOther(text: string): Promise<void>;
  /** The handshake is done with this protocol version. */
  ready(protocolVersion: string): void;
  /** Nobody waits for the answer to this request any more. */
  forget(id: number): void;
  /**
   * Ends the process or connection and waits until it is gone. No event follows.
   * @param hasEnded The server is gone already, and hears no farewell.
   */
  close(purpose: ClosePurpose, hasEnded?: boolean): Promise<void>;
  readonly pid: number | undefined;
  /** Why it cannot be spoken to yet, continuing "it did not start in time: …". */
  readonly blockedBy?: string | undefined;
}

/**
 * Only containers outlive their connection. `let-go`: it runs on, for the next start of this service. `stop`: it is
 * stopped, for the next start of this server. `discard`: this connection is not wanted again, and it is removed.
 */
export type ClosePurpose = 'let-go' | 'stop' | 'discard';

/** None of these is called before the opening function has returned. */
export interface TransportEvents {
  /**
   * One message from the server. `requestId`: it came on the stream that answers this request of ours, so it belongs to
   * it (2025-11-25 basic/transports, Sending Messages).
   */
  onMessage(message: ServerMessage, requestId?: number): void;
  /**
   * What comes without a `requestId` may concern others than those who use this connection: the server served somebody
   * before it, or names no session.
   */
  onShared(): void;
  /** Whether somebody still waits for the answer to this request. */
  isAwaited(id: number): boolean;
  /** The server ended the stream of this request before its answer, and is asked for the rest later. */
  onHungUp(id: number): void;
  /** The request will not be answered. A `NotSent` failure says that the server never began with it. */
  onSendFailed(id: number, problem: SendProblem): void;
  /** No further request can be taken; those under way may still be answered. `reason`: see `onClose`. */
  onLost(reason: string): void;
  /** It is over. `reason` continues the sentence "the server is unavailable: …" and is safe to show. */
  onClose(reason: string, end?: ServerEnd): void;
  /** What the server writes besides messages. */
  onStderr(chunk: string): void;
}

export interface ServerEnd {
  readonly exitCode?: number | undefined;
  /** The kernel ended it, for it had used up the memory that it may have. */
  readonly outOfMemory?: boolean;
  /** Resolves with true when somebody ended it on purpose: it is not brought back before it is needed. */
  readonly staysDown?: Promise<boolean>;
}

export interface SendProblem {
  readonly reason: string;
  /** The server certainly did not begin with it, so that sending it again is safe. */
  readonly neverSent: boolean;
}

/**
 * @param config With every reference resolved; it holds secrets and must not be kept longer than needed.
 * @param sessionId The MCP session that a stateful server's connection serves.
 */
export type OpenTransport = (config: ServerConfig, events: TransportEvents, sessionId?: string) => Transport;

export interface Openers extends Readonly<Record<ServerConfig['transport'], OpenTransport>> {
  /** For configs with an `image`, whatever their transport; absent where there is no container engine. */
  readonly container?: OpenTransport | undefined;
}

/** Stands in for a transport that could not be opened at all, and says so at once. */
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

/** The one end of a transport, however often it is asked for: the first purpose counts. */
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

  /** Resolves when it is reached. */
  begin(transport: Transport, purpose: ClosePurpose): Promise<void> {
    if (!this.#isUnderWay) transport.close(purpose).then(this.#onReached, this.#onReached);
    this.#isUnderWay = true;
    return this.reached;
  }
}
