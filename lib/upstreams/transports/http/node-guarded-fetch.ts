import {
  type JudgedMessage,
  type MessageExcess,
  maxParsedElements,
  type ServerMessage,
} from '../../../json-rpc/server-messages.ts';
import { createEventBound } from '../../../streams/event-bound.ts';
import { type AnswerHead, type AnswerReader, mediaType } from './node-answer-readers.ts';
import { createEventReader } from './node-event-reader.ts';
import type { HttpEndpoint } from './node-http-endpoint.ts';

/**
 * `fetch` for a library that wants one, over our own endpoints: redirects are not followed, addresses are
 * checked when dialled, answers are bounded, and no request leaves a listener behind on a signal that outlives it.
 */
export interface GuardedFetchOptions {
  readonly endpointOf: (url: URL) => HttpEndpoint;
  /** Of a body, or of one event of a stream. A longer one is cut off. */
  readonly mostBytes: number;
  /** Called before the stream is cut off at an event that is too long or too costly to parse. */
  readonly onRefusedEvent: (excess: MessageExcess | 'bytes') => void;
  /** Messages of an event stream, exactly as sent: the library parses them too, which changes them. */
  readonly onMessage: (message: ServerMessage) => void;
  /** The body to be sent in place of the library's; undefined: none. */
  readonly bodyOf: (written: string) => string | undefined;
  /** How long a server may take to answer requests other than GET. */
  readonly postWaitMs: number;
}

export function createGuardedFetch(options: GuardedFetchOptions): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { signal, method = 'GET' } = init;
      const headers = Object.fromEntries(new Headers(init.headers));
      const url = new URL(input instanceof Request ? input.url : input);
      const body = typeof init.body === 'string' ? options.bodyOf(init.body) : undefined;
      const endpoint = options.endpointOf(url);
      const exchange = endpoint.send(endpoint.prepare(method, headers), body, createReader());
      const abort = () => breakOff(new DOMException('The request was aborted.', 'AbortError'));
      signal?.addEventListener('abort', abort);
      const timer =
        method === 'GET'
          ? undefined
          : setTimeout(() => breakOff(new DOMException('No answer.', 'TimeoutError')), options.postWaitMs);
      let stream: ReadableStreamDefaultController<Uint8Array> | undefined;

      function release(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      }

      function over(error?: Error): void {
        release();
        if (stream === undefined) reject(error);
        else if (error) stream.error(error);
        else stream.close();
        stream = undefined;
      }

      function breakOff(error: Error): void {
        exchange.abort();
        over(error);
      }

      function createReader(): AnswerReader {
        let fits = (_bytes: Buffer) => true;
        return {
          onHead(head) {
            fits = createBound(head, options, method);
            const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
              stream = controller;
            };
            const cancel = () => {
              release();
              stream = undefined;
              exchange.abort();
            };
            resolve(toResponse(head, new ReadableStream({ start, cancel })));
          },
          onData(bytes) {
            if (fits(bytes)) stream?.enqueue(bytes);
            else breakOff(new Error('The answer is too long.'));
          },
          onEnd: () => over(),
          onError: over,
        };
      }
    });
}

/** @returns Whether the answer is within its bound with these bytes. */
function createBound(
  head: AnswerHead,
  options: GuardedFetchOptions,
  method: string,
): (bytes: Buffer) => boolean {
  const { mostBytes } = options;
  const isStream = head.status < 300 && mediaType(head) === 'text/event-stream';
  if (isStream && method === 'GET') return createEventsBound(options);
  let size = 0;
  return (bytes) => {
    size += bytes.length;
    return size <= mostBytes;
  };
}

/** The library parses each event at once when it is complete, so events are judged before they are passed on. */
function createEventsBound({
  mostBytes,
  onRefusedEvent,
  onMessage,
}: GuardedFetchOptions): (bytes: Buffer) => boolean {
  const isWithin = createEventBound(mostBytes);
  let excess: MessageExcess | undefined;
  const judge = createEventReader({
    mostBytes: Number.POSITIVE_INFINITY,
    onEvent({ type, data }) {
      if (typeof data !== 'string') excess ??= data.excess ?? excessOfParsed(data);
      const isMessage = data !== '' && (type === '' || type === 'message');
      if (isMessage && excess === undefined) onMessage(data);
    },
    onRetry() {},
    onTooLong() {},
  });
  return (bytes) => {
    if (!isWithin(bytes)) {
      onRefusedEvent('bytes');
      return false;
    }
    judge(bytes);
    if (excess !== undefined) onRefusedEvent(excess);
    return excess === undefined;
  };
}

function excessOfParsed({ elements }: JudgedMessage): MessageExcess | undefined {
  return elements > maxParsedElements ? 'call-elements' : undefined;
}

function toResponse({ status, headers }: AnswerHead, body: ReadableStream<Uint8Array>): Response {
  const hasNoBody = status === 204 || status === 205 || status === 304;
  return new Response(hasNoBody ? null : body, { status, headers: [...headers] });
}
