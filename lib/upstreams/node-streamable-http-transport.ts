import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { ServerConfig } from '../catalog/server-config.ts';
import { mediaType, readEventStream, readText } from './node-http-answers.ts';
import { createHttpEndpoint, type HttpEndpoint, toSendProblem } from './node-http-endpoint.ts';
import { createServerStream, type ServerStream } from './node-server-stream.ts';
import type { OpenTransport, SendProblem, Transport, TransportEvents } from './transport.ts';
import { unusableTransport } from './unusable-transport.ts';

/**
 * A server over Streamable HTTP (revision 2025-11-25, basic/transports): each message is a POST of its own,
 * answered in JSON or as an event stream, and a GET stream brings what belongs to no call. By hand rather than
 * with the SDK's transport, which costs seven times as much a call and leaks listeners on Node 20.
 */
export const openStreamableHttp: OpenTransport = (config, events) => {
  try {
    return new StreamableHttpTransport(config, createHttpEndpoint(config), events);
  } catch (error) {
    return unusableTransport(events, error instanceof Error ? error.message : 'its address cannot be used');
  }
};

const deleteWaitMs = 1000;
const otherWaitMs = 30_000;

class StreamableHttpTransport implements Transport {
  readonly pid = undefined;
  readonly #mostBytes: number;
  readonly #endpoint: HttpEndpoint;
  readonly #events: TransportEvents;
  readonly #requests = new Map<number, ClientRequest>();
  readonly #others = new Set<ClientRequest>();
  #headers: OutgoingHttpHeaders = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  #sessionId: string | undefined;
  #serverStream: ServerStream | undefined;
  #isLost = false;
  #isClosed = false;

  constructor(config: ServerConfig, endpoint: HttpEndpoint, events: TransportEvents) {
    this.#mostBytes = config.limits.responseBytes;
    this.#endpoint = endpoint;
    this.#events = events;
  }

  sendRequest(id: number, text: string): void {
    const request = this.#endpoint.request('POST', this.#headers, text);
    this.#requests.set(id, request);
    const fail = (problem: SendProblem) => this.#fail(id, problem);
    request.on('response', (response) => this.#onResponse(response, fail));
    request.on('error', (error) => fail(toSendProblem(error)));
    request.on('close', () => this.#requests.delete(id));
  }

  sendOther(text: string): Promise<void> {
    return new Promise((resolve) => {
      const request = this.#endpoint.request('POST', this.#headers, text);
      this.#others.add(request);
      request.on('response', (response) => {
        this.#onResponse(response, ({ neverSent, reason }) => neverSent && this.#lose(reason));
        resolve();
      });
      // A server that takes no notice must not keep a socket for each notification.
      const timer = setTimeout(() => request.destroy(), otherWaitMs);
      request.on('error', () => {});
      request.on('close', () => {
        clearTimeout(timer);
        this.#others.delete(request);
        resolve();
      });
    });
  }

  ready(protocolVersion: string): void {
    this.#headers = { ...this.#headers, 'mcp-protocol-version': protocolVersion };
    this.#serverStream = createServerStream({
      open: () => this.#endpoint.request('GET', { ...this.#headers, accept: 'text/event-stream' }),
      mostBytes: this.#mostBytes,
      onMessage: (text) => this.#events.onMessage(text),
      onGone: (reason) => this.#lose(reason),
    });
  }

  forget(id: number): void {
    this.#requests.get(id)?.destroy();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#serverStream?.close();
    for (const request of [...this.#requests.values(), ...this.#others]) request.destroy();
    if (this.#sessionId !== undefined && !this.#isLost) await this.#deleteSession();
    this.#endpoint.close();
  }

  #onResponse(response: IncomingMessage, fail: (problem: SendProblem) => void): void {
    const status = response.statusCode ?? 0;
    this.#readSessionId(response);
    if (status < 300 && mediaType(response) === 'text/event-stream') this.#onEventStream(response, fail);
    else
      readText(response, this.#mostBytes, (text, isTooLong) => {
        const problem = isTooLong ? tooLong(this.#mostBytes) : this.#onText(status, response, text);
        fail(problem);
      });
  }

  /** The whole body, or undefined when it broke off. Says why there is no answer, should it hold none. */
  #onText(status: number, response: IncomingMessage, text: string | undefined): SendProblem {
    if (text === undefined) return sent('its connection broke');
    if (this.#isSessionGone(status, text)) return { reason: 'its session ended', neverSent: true };
    if (text !== '' && mediaType(response) === 'application/json') this.#events.onMessage(text);
    return sent(statusReason(status));
  }

  #onEventStream(response: IncomingMessage, fail: (problem: SendProblem) => void): void {
    readEventStream(response, this.#mostBytes, {
      onMessage: (text) => this.#events.onMessage(text),
      onEnd: (isTooLong) => fail(isTooLong ? tooLong(this.#mostBytes) : sent(statusReason(200))),
    });
  }

  /** Nobody waits for that id once it was answered, so this may be called after every exchange. */
  #fail(id: number, problem: SendProblem): void {
    if (this.#isClosed) return;
    this.#events.onSendFailed(id, problem);
    if (problem.neverSent) this.#lose(problem.reason);
  }

  #lose(reason: string): void {
    if (this.#isLost || this.#isClosed) return;
    this.#isLost = true;
    this.#serverStream?.close();
    this.#events.onLost(reason);
  }

  /** 404 is the protocol's word for it; some servers say 400, and name the session in the text. */
  #isSessionGone(status: number, text: string): boolean {
    if (this.#sessionId === undefined) return false;
    return status === 404 || (status === 400 && /session/i.test(text));
  }

  #readSessionId(response: IncomingMessage): void {
    const id = response.headers['mcp-session-id'];
    if (this.#sessionId !== undefined || typeof id !== 'string') return;
    this.#sessionId = id;
    this.#headers = { ...this.#headers, 'mcp-session-id': id };
  }

  #deleteSession(): Promise<void> {
    return new Promise((resolve) => {
      const request = this.#endpoint.request('DELETE', this.#headers);
      const timer = setTimeout(() => request.destroy(), deleteWaitMs);
      request.on('response', (response) => response.resume());
      request.on('error', () => {});
      request.on('close', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

function sent(reason: string): SendProblem {
  return { reason, neverSent: false };
}

function tooLong(bytes: number): SendProblem {
  return sent(`its answer is longer than ${bytes} bytes`);
}

function statusReason(status: number): string {
  if (status >= 200 && status < 300) return 'it ended its answer without a result';
  if (status >= 300 && status < 400) return 'it answered with a redirect, which is not followed';
  if (status === 401 || status === 403) return `it refused our credentials (HTTP ${status})`;
  return `it answered with HTTP status ${status}`;
}
