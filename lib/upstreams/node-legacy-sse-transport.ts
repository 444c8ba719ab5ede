import type { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ServerConfig } from '../catalog/server-config.ts';
import { createGuardedFetch } from './node-guarded-fetch.ts';
import { createHttpEndpoint, type HttpEndpoint, toSendProblem } from './node-http-endpoint.ts';
import type { OpenTransport, Transport, TransportEvents } from './transport.ts';
import { unusableTransport } from './unusable-transport.ts';

/**
 * A server over the two-endpoint HTTP+SSE transport of revision 2024-11-05. It is deprecated and rare, so the
 * SDK's client carries it: its rules are kept by others, its cost does not matter here, and it is imported only
 * when a server needs it. It parses messages, so that integers beyond 2^53 lose digits on this transport alone.
 * Its requests go through our own fetch, for the sake of checked addresses and refused redirects.
 */
export const openLegacySse: OpenTransport = (config, events) => {
  try {
    return new LegacySseTransport(config, createHttpEndpoint(config), events);
  } catch (error) {
    return unusableTransport(events, error instanceof Error ? error.message : 'its address cannot be used');
  }
};

class LegacySseTransport implements Transport {
  readonly pid = undefined;
  readonly #config: ServerConfig;
  readonly #events: TransportEvents;
  readonly #endpoints = new Map<string, HttpEndpoint>();
  readonly #started: Promise<SSEClientTransport | undefined>;
  #isOver = false;

  constructor(config: ServerConfig, endpoint: HttpEndpoint, events: TransportEvents) {
    this.#config = config;
    this.#events = events;
    this.#endpoints.set(new URL(config.url ?? '').href, endpoint);
    this.#started = this.#start();
  }

  sendRequest(id: number, text: string): void {
    void this.#send(text).then((error) => {
      if (error !== undefined) this.#events.onSendFailed(id, toSendProblem(error as NodeJS.ErrnoException));
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
    await Promise.race([this.#started.then((transport) => transport?.close()), Promise.resolve()]);
  }

  async #start(): Promise<SSEClientTransport | undefined> {
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js');
    const transport = new SSEClientTransport(new URL(this.#config.url ?? ''), {
      fetch: createGuardedFetch((url) => this.#endpointOf(url)),
    });
    transport.onmessage = (message) => this.#isOver || this.#events.onMessage(JSON.stringify(message));
    // The stream is the session: once it breaks, a new one has to be initialized.
    transport.onerror = () => this.#end('its event stream broke', transport);
    try {
      await transport.start();
      return transport;
    } catch {
      this.#end('its event stream could not be opened', transport);
      return undefined;
    }
  }

  /** Resolves with the error, if any. */
  async #send(text: string): Promise<unknown> {
    const transport = await this.#started;
    try {
      await transport?.send(JSON.parse(text) as JSONRPCMessage);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #endpointOf(url: URL): HttpEndpoint {
    const endpoint = this.#endpoints.get(url.href) ?? createHttpEndpoint(this.#config, url);
    this.#endpoints.set(url.href, endpoint);
    return endpoint;
  }

  #end(reason: string, transport: SSEClientTransport): void {
    void transport.close();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.onClose(reason);
  }
}
