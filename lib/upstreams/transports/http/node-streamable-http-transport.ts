import type { ServerConfig } from '../../../config/server-config.ts';
import type { ServerMessage } from '../../../json-rpc/server-messages.ts';
import {
  type ClosePurpose,
  type OpenTransport,
  type SendProblem,
  type Transport,
  type TransportEvents,
  unusableTransport,
} from '../transport.ts';
import {
  type AnswerHead,
  type BodyReader,
  createAnswerReader,
  createEventStreamReader,
  createTextReader,
  mediaType,
  type StreamPosition,
} from './node-answer-readers.ts';
import type { HttpExchange } from './node-http-connection.ts';
import { createHttpEndpoint, type HttpEndpoint, toSendProblem } from './node-http-endpoint.ts';
import { httpAnswerLine, sendsCredentials, sent, statusReason, tooLong } from './node-http-problems.ts';
import { createHttpSession, type HttpSession } from './node-http-session.ts';
import { resumeAnswer } from './node-resumed-answer.ts';
import { createServerStream, type ServerStream } from './node-server-stream.ts';
import { withAddressedErrors } from './unaddressed-error.ts';

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

const otherWaitMs = 30_000;

type MessageListener = (message: ServerMessage) => void;

/** Receives the outcome of one POST. */
interface PostHandler {
  /** Of the request that is posted, if the message is one. */
  readonly requestId?: number;
  /** Receives messages in place of the connection's own listener. */
  readonly onMessage?: MessageListener;
  /** The server has begun to answer. */
  readonly onTaken?: () => void;
  /** The exchange is over; `problem` applies if no message has come in it. */
  onUnanswered(problem: SendProblem, position?: StreamPosition): void;
  /** There was no exchange. */
  onFailed(error: NodeJS.ErrnoException): void;
  onOver(): unknown;
}

class StreamableHttpTransport implements Transport {
  readonly pid = undefined;
  readonly #mostBytes: number;
  readonly #hasCredentials: boolean;
  readonly #endpoint: HttpEndpoint;
  readonly #session: HttpSession;
  readonly #events: TransportEvents;
  readonly #calls = new Map<number, Pick<HttpExchange, 'abort'>>();
  /** For each notification and answer: aborts its exchange, and ends the wait for it. */
  readonly #others = new Set<() => void>();
  #serverStream: ServerStream | undefined;
  #isLost = false;
  #isClosed = false;

  constructor(config: ServerConfig, endpoint: HttpEndpoint, events: TransportEvents) {
    this.#mostBytes = config.limits.responseBytes;
    this.#hasCredentials = sendsCredentials(config);
    this.#endpoint = endpoint;
    this.#session = createHttpSession(endpoint);
    this.#events = events;
  }

  sendRequest(id: number, text: string): void {
    const fail = (problem: SendProblem) => this.#fail(id, problem);
    const exchange = this.#post(text, {
      requestId: id,
      onMessage: (message) => this.#events.onMessage(message, id),
      onUnanswered: (problem, position) => this.#resume(id, problem, position) || fail(problem),
      onFailed: (error) => fail(toSendProblem(error)),
      onOver: () => this.#calls.get(id) === exchange && this.#calls.delete(id),
    });
    this.#calls.set(id, exchange);
  }

  sendOther(text: string): Promise<void> {
    return new Promise((resolve) => {
      const over = () => {
        clearTimeout(timer);
        this.#others.delete(giveUp);
        resolve();
      };
      const exchange = this.#post(text, {
        onTaken: resolve,
        onUnanswered: ({ neverSent, reason }) => neverSent && this.#lose(reason),
        onFailed: () => {},
        onOver: over,
      });
      const giveUp = () => {
        exchange.abort();
        over();
      };
      this.#others.add(giveUp);
      // A server that does not answer must not occupy a socket for each notification.
      const timer = setTimeout(giveUp, otherWaitMs);
    });
  }

  ready(protocolVersion: string): void {
    this.#session.setVersion(protocolVersion);
    if (!this.#session.isNamed()) this.#events.onShared();
    this.#serverStream = createServerStream({
      open: (reader) => this.#session.openStream({}, reader),
      mostBytes: this.#mostBytes,
      onMessage: (message) => this.#events.onMessage(message),
      onGone: (reason) => this.#lose(reason),
    });
  }

  forget(id: number): void {
    this.#calls.get(id)?.abort();
    this.#calls.delete(id);
  }

  async close(_purpose: ClosePurpose, hasEnded = false): Promise<void> {
    this.#isClosed = true;
    this.#serverStream?.close();
    for (const exchange of this.#calls.values()) exchange.abort();
    for (const giveUp of this.#others) giveUp();
    if (!this.#isLost && !hasEnded) await this.#session.end();
    this.#endpoint.close();
  }

  #post(text: string, handler: PostHandler): HttpExchange {
    const reader = createAnswerReader({
      onHead: (head) => {
        this.#session.readId(head);
        handler.onTaken?.();
        return this.#createBodyReader(head, handler, cutOff);
      },
      onFailed: handler.onFailed,
      onOver: handler.onOver,
    });
    const exchange = this.#session.post(text, reader);
    function cutOff(): void {
      exchange.abort();
      handler.onOver();
    }
    return exchange;
  }

  #createBodyReader(head: AnswerHead, handler: PostHandler, cutOff: () => void): BodyReader {
    const fail = handler.onUnanswered;
    const given = handler.onMessage ?? ((message: ServerMessage) => this.#events.onMessage(message));
    const { status } = head;
    const { requestId } = handler;
    const isReady = this.#serverStream !== undefined;
    const onMessage = status < 400 ? given : withAddressedErrors(given, { status, requestId, isReady });
    if (head.status < 300 && mediaType(head) === 'text/event-stream') {
      const onEnd = (isTooLong: boolean, position: StreamPosition) =>
        fail(isTooLong ? tooLong(this.#mostBytes) : sent(statusReason(200)), position);
      return createEventStreamReader(this.#mostBytes, { onMessage, onEnd, cutOff });
    }
    return createTextReader(this.#mostBytes, {
      onText: (text, isTooLong) =>
        fail(isTooLong ? tooLong(this.#mostBytes) : this.#onText(head, text, onMessage)),
      cutOff,
    });
  }

  /** @param text The whole body, or undefined when it broke off. @returns why there is no answer, should it hold none. */
  #onText(head: AnswerHead, text: ServerMessage | undefined, onMessage: MessageListener): SendProblem {
    if (text === undefined) return sent('its connection broke');
    const body = typeof text === 'string' ? text : text.text;
    if (this.#session.isGone(head.status, body)) return { reason: 'its session ended', neverSent: true };
    const type = mediaType(head);
    if (text !== '' && type === 'application/json') onMessage(text);
    if (this.#serverStream === undefined && head.status !== 202) this.#logAnswer(head.status, type, body);
    const challenge = head.headers.get('www-authenticate');
    return sent(
      statusReason(head.status, { mediaType: type, hadCredentials: this.#hasCredentials, challenge }),
    );
  }

  /** Only before the handshake is done, when the body belongs to no call. */
  #logAnswer(status: number, type: string, body: string): void {
    const line = httpAnswerLine(status, type, body);
    if (line !== undefined) this.#events.onStderr(`${line}\n`);
  }

  /** Resumes an answer whose stream ended before it came. False: the stream cannot be resumed. */
  #resume(id: number, problem: SendProblem, position?: StreamPosition): boolean {
    const isAwaited = () => !this.#isClosed && this.#events.isAwaited(id);
    if (position?.lastEventId === undefined || !isAwaited()) return false;
    const resumed = resumeAnswer({
      position,
      mostBytes: this.#mostBytes,
      open: (lastEventId, reader) => this.#session.openStream({ 'last-event-id': lastEventId }, reader),
      onMessage: (message) => this.#events.onMessage(message, id),
      isAwaited,
      onGivenUp: () => this.#fail(id, problem),
      onOver: () => this.#calls.get(id) === resumed && this.#calls.delete(id),
    });
    this.#calls.set(id, resumed);
    // A server that sent `retry` ended the stream on purpose; otherwise the connection broke.
    if (position.retryMs !== undefined) this.#events.onHungUp(id);
    return true;
  }

  /** Without effect for an id that was answered, so this may be called after every exchange. */
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
}
