import type { AnswerHead, AnswerReader } from './node-http-answer.ts';
import type { HttpEndpoint } from './node-http-endpoint.ts';

/**
 * `fetch` for a library that wants one, over our own endpoints: redirects are not followed, addresses are
 * checked when dialled, and an aborted request leaves no listener behind on a signal that outlives it.
 */
export function createGuardedFetch(endpointOf: (url: URL) => HttpEndpoint): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { signal } = init;
      const headers = Object.fromEntries(new Headers(init.headers));
      const url = new URL(input instanceof Request ? input.url : input);
      const body = typeof init.body === 'string' ? init.body : undefined;
      const endpoint = endpointOf(url);
      const prepared = endpoint.prepare(init.method ?? 'GET', headers);
      const exchange = endpoint.send(prepared, body, createReader());
      const abort = () => {
        exchange.abort();
        over(new DOMException('The request was aborted.', 'AbortError'));
      };
      signal?.addEventListener('abort', abort);
      let stream: ReadableStreamDefaultController<Uint8Array> | undefined;

      function over(error?: Error): void {
        signal?.removeEventListener('abort', abort);
        if (stream === undefined) reject(error);
        else if (error) stream.error(error);
        else stream.close();
        stream = undefined;
      }

      function createReader(): AnswerReader {
        return {
          onHead(head) {
            const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
              stream = controller;
            };
            const cancel = () => {
              stream = undefined;
              exchange.abort();
            };
            resolve(toResponse(head, new ReadableStream({ start, cancel })));
          },
          onData: (bytes) => stream?.enqueue(bytes),
          onEnd: () => over(),
          onError: over,
        };
      }
    });
}

function toResponse({ status, headers }: AnswerHead, body: ReadableStream<Uint8Array>): Response {
  const hasNoBody = status === 204 || status === 205 || status === 304;
  return new Response(hasNoBody ? null : body, { status, headers: [...headers] });
}
