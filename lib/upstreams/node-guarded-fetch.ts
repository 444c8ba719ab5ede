import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
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
      const request = endpointOf(url).request(init.method ?? 'GET', headers, body);
      const abort = () => request.destroy();
      signal?.addEventListener('abort', abort);
      request.on('close', () => signal?.removeEventListener('abort', abort));
      request.on('error', reject);
      request.on('response', (response) => resolve(toResponse(response)));
    });
}

function toResponse(incoming: IncomingMessage): Response {
  const status = incoming.statusCode ?? 500;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const hasNoBody = status === 204 || status === 205 || status === 304;
  if (hasNoBody) incoming.resume();
  return new Response(hasNoBody ? null : (Readable.toWeb(incoming) as ReadableStream), { status, headers });
}
