import type { Failure } from '../failure.ts';

/**
 * The one place that builds responses. Behind the Node adapter its own `Response` class costs a third of the
 * platform's (docs/decisions/0006), so `server.ts` passes that class in; other hosts use theirs.
 */
let ResponseClass: typeof Response = globalThis.Response;

/** Called once by an entry point, before the first request. */
export function useResponseClass(responseClass: typeof Response): void {
  ResponseClass = responseClass;
}

/** Of every answer: a browser must not guess a content type. */
const nosniff = 'nosniff';

export type HeaderMap = Readonly<Record<string, string>>;

export function jsonResponse(value: unknown, status = 200, headers?: HeaderMap): Response {
  return jsonText(JSON.stringify(value), status, headers);
}

/**
 * @param text Serialised JSON. Each answer has a headers object of its own, here and below: the adapter's class writes
 * the length of the body into it.
 */
export function jsonText(text: string, status = 200, headers?: HeaderMap): Response {
  return new ResponseClass(text, {
    status,
    headers: { 'Content-Type': 'application/json', 'X-Content-Type-Options': nosniff, ...headers },
  });
}

/** JSON that is encoded piece by piece, so that its length is not known. */
export function jsonStream(body: ReadableStream<Uint8Array>, status: number, headers?: HeaderMap): Response {
  return new ResponseClass(body, {
    status,
    headers: { 'Content-Type': 'application/json', 'X-Content-Type-Options': nosniff, ...headers },
  });
}

export function emptyResponse(status: number, headers?: HeaderMap): Response {
  return new ResponseClass(null, { status, headers: { 'X-Content-Type-Options': nosniff, ...headers } });
}

export function textResponse(text: string, contentType: string, headers?: HeaderMap): Response {
  return new ResponseClass(text, {
    headers: { 'Content-Type': contentType, 'X-Content-Type-Options': nosniff, ...headers },
  });
}

export function bytesResponse(bytes: Uint8Array, contentType: string, headers?: HeaderMap): Response {
  return new ResponseClass(bytes as Uint8Array<ArrayBuffer>, {
    headers: { 'Content-Type': contentType, 'X-Content-Type-Options': nosniff, ...headers },
  });
}

/** The success shape of the manager API (docs/api.md, Answers). */
export function success<Fields extends object>(fields: Fields, status = 200): Response {
  return jsonResponse({ success: true, ...fields }, status);
}

export function streamResponse(body: ReadableStream<Uint8Array>, contentType: string): Response {
  return new ResponseClass(body, {
    headers: { 'Content-Type': contentType, 'X-Content-Type-Options': nosniff, 'Cache-Control': 'no-store' },
  });
}

/** Server-sent events; proxies must neither buffer nor change them (docs/protocol.md, rule 31). */
export function eventStreamResponse(body: ReadableStream<Uint8Array>, headers?: HeaderMap): Response {
  return new ResponseClass(body, {
    headers: {
      'Content-Type': 'text/event-stream',
      'X-Content-Type-Options': nosniff,
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
      ...headers,
    },
  });
}

/** The failure shape of the manager API and of plain gateway paths (docs/api.md, Answers). */
export function failureBody(failure: Failure, requestId: string): Record<string, unknown> {
  return {
    success: false,
    error: failure.message,
    code: failure.code,
    request_id: requestId,
    ...(failure.details === undefined ? {} : { details: failure.details }),
  };
}

export function failureResponse(failure: Failure, requestId: string): Response {
  return jsonResponse(failureBody(failure, requestId), failure.status, failure.headers);
}

/**
 * Headers for browser-based agents on the gateway (docs/api.md, Guard). The guard has judged the Origin
 * already; the manager never sends any of these.
 */
export function corsHeaders(origin: string): HeaderMap {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'Mcp-Session-Id, WWW-Authenticate',
    Vary: 'Origin',
  };
}

export function preflightAnswer(origin: string): Response {
  return emptyResponse(204, {
    ...corsHeaders(origin),
    'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
    'Access-Control-Allow-Headers':
      'Content-Type, Accept, Authorization, Mcp-Session-Id, MCP-Protocol-Version, Last-Event-ID',
    'Access-Control-Max-Age': '600',
  });
}
