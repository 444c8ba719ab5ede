import type { ServerConfig } from '../catalog/server-config.ts';

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
  /** Ends the process or connection and waits until it is gone. No event follows. */
  close(): Promise<void>;
  readonly pid: number | undefined;
}

/** None of these is called before the opening function has returned. */
export interface TransportEvents {
  /** One message from the server, as text that may be anything. */
  onMessage(text: string): void;
  /** The request will not be answered. A `NotSent` failure says that the server never began with it. */
  onSendFailed(id: number, problem: SendProblem): void;
  /** No further request can be taken; those under way may still be answered. `reason`: see `onClose`. */
  onLost(reason: string): void;
  /** It is over. `reason` continues the sentence "the server is unavailable: …" and is safe to show. */
  onClose(reason: string): void;
  /** What the server writes besides messages. */
  onStderr(chunk: string): void;
}

export interface SendProblem {
  readonly reason: string;
  /** The server certainly did not begin with it, so that sending it again is safe. */
  readonly neverSent: boolean;
}

/** @param config With every reference resolved; it holds secrets and must not be kept longer than needed. */
export type OpenTransport = (config: ServerConfig, events: TransportEvents) => Transport;

export type Openers = Readonly<Record<ServerConfig['transport'], OpenTransport>>;
