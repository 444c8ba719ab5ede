import type { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ServerConfig } from '../../../config/server-config.ts';
import { excesses } from '../../upstream-failures.ts';
import {
  type OpenTransport,
  type SendProblem,
  type Transport,
  type TransportEvents,
  unusableTransport,
} from '../transport.ts';
import { createGuardedFetch } from './node-guarded-fetch.ts';
import { createHttpEndpoint, type HttpEndpoint, toSendProblem } from './node-http-endpoint.ts';
import { sendsCredentials, sent, statusReason, tooLong } from './node-http-problems.ts';
import { type RefusedStream, withRefusedStreams } from './node-refused-stream.ts';

/**
 * A server over the two-endpoint HTTP+SSE transport of revision 2024-11-05. The transport is deprecated and rare, so the
 * SDK's client is used, imported only when a server needs it. Its requests go through our own fetch, which checks addresses
 * and refuses redirects. There messages are also read and written unparsed: the SDK parses them, by which integers beyond
 * 2^53 would lose digits. For the same reason a message that is too costly to parse ends the connection, not only its call.
 */
export const openLegacySse: OpenTransport = (config, events) => {
  try {
    return new LegacySseTransport(config, createHttpEndpoint(config), events);
  } catch (error) {
    return unusableTransport(events, error instanceof Error ? error.message : 'its address cannot be used');
  }
};

const postWaitMs = 30_000;

class LegacySseTransport implements Transport {
  readonly pid = undefined;
  readonly #config: ServerConfig;
  readonly #events: TransportEvents;
  readonly #endpoints = new Map<string, HttpEndpoint>();
  /** The messages being sent, by the number that the SDK is given in place of each. */
  readonly #texts = new Map<string, string>();
  #lastText = 0;
  readonly #started: Promise<SSEClientTransport | undefined>;
  #isOver = false;

  constructor(config: ServerConfig, endpoint: HttpEndpoint, events: TransportEvents) {
    this.#config = config;
    this.#events = events;
    this.#endpoints.set(new URL(config.url ?? '').href, endpoint);
    this.#started = this.#start();
  }

  sendRequest(id: number, text: string): void {
    void this.#send(text).then((problem) => {
      if (problem === undefined || this.#isOver) return;
      this.#events.onSendFailed(id, problem);
      // The stream still brings the answers to requests that were sent.
      if (problem.neverSent) this.#events.onLost(problem.reason);
    });
  }

  async sendOther(text: string): Promise<void> {
    await this.#send(text);
  }

  ready(protocolVersion: string): void {
    void this.#started.then((transport) => transport?.setProtocolVersion(protocolVersion));
  }

  forget(): void {}

  async close(): Promise<void> {
    this.#isOver = true;
    // A server that never names its endpoint would keep a start waiting for ever.
    for (const endpoint of this.#endpoints.values()) endpoint.close();
    await (await this.#started)?.close();
  }

  async #start(): Promise<SSEClientTransport | undefined> {
    const { SSEClientTransport, SseError } = await import('@modelcontextprotocol/sdk/client/sse.js');
    const mostBytes = this.#config.limits.responseBytes;
    const guardedFetch = createGuardedFetch({
      endpointOf: (url) => this.#endpointOf(url),
      mostBytes,
      onRefusedEvent: (excess) =>
        end(excess === 'bytes' ? tooLong(mostBytes).reason : `it sent a message that ${excesses[excess]}`),
      onMessage: (message) => this.#isOver || this.#events.onMessage(message),
      bodyOf: (written) => this.#texts.get(written),
      postWaitMs,
    });
    let refused: RefusedStream | undefined;
    const transport = new SSEClientTransport(new URL(this.#config.url ?? ''), {
      fetch: withRefusedStreams(guardedFetch, sendsCredentials(this.#config), (refusal) => {
        refused = refusal;
        if (refusal.line !== undefined && !this.#isOver) this.#events.onStderr(`${refusal.line}\n`);
      }),
    });
    const end = (reason: string) => {
      this.#end(reason);
      void transport.close();
    };
    // The stream is the session: once it breaks, a new one has to be initialized. Refused messages are also reported here,
    // ours and the server's, and concern only their call.
    transport.onerror = (error) => {
      if (error instanceof SseError) end(refused?.reason ?? 'its event stream broke');
    };
    transport.onclose = () => this.#end('its event stream was closed');
    try {
      await transport.start();
      return transport;
    } catch {
      end('its event stream could not be opened');
      return undefined;
    }
  }

  /** Resolves with the reason why there will be no answer, if that is known. */
  async #send(text: string): Promise<SendProblem | undefined> {
    const transport = await this.#started;
    const key = String(++this.#lastText);
    this.#texts.set(key, text);
    try {
      // The SDK serializes the number, which gives the key.
      await transport?.send(Number(key) as unknown as JSONRPCMessage);
      return undefined;
    } catch (error) {
      return toProblem(error as Error, sendsCredentials(this.#config));
    } finally {
      this.#texts.delete(key);
    }
  }

  #endpointOf(url: URL): HttpEndpoint {
    const endpoint = this.#endpoints.get(url.href) ?? createHttpEndpoint(this.#config, url);
    this.#endpoints.set(url.href, endpoint);
    if (this.#isOver) endpoint.close();
    return endpoint;
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.onClose(reason);
  }
}

function toProblem(error: Error, hadCredentials: boolean): SendProblem | undefined {
  // The server may have received the message: its answer may come on the stream, and the call has a timeout of its own.
  if (error.name === 'TimeoutError') return undefined;
  // The SDK gives the status in a text only.
  const status = /\(HTTP (\d{3})\)/.exec(error.message)?.[1];
  return status === undefined ? toSendProblem(error) : sent(statusReason(Number(status), { hadCredentials }));
}
