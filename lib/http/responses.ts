/**
 * The one place that builds responses. Behind the Node adapter its own `Response` class costs a third of the
 * platform's (libraries.md section 1.3), so `server.ts` hands that class in; other hosts keep theirs.
 */
let ResponseClass: typeof Response = globalThis.Response;

/** Called once by an entry point, before the first request. */
export function useResponseClass(responseClass: typeof Response): void {
  ResponseClass = responseClass;
}

/** Each answer says so: a browser must take no body for anything else than what it is called. */
const nosniff = 'nosniff';

export type HeaderMap = Readonly<Record<string, string>>;

export function jsonResponse(value: unknown, status = 200, headers?: HeaderMap): Response {
  return jsonText(JSON.stringify(value), status, headers);
}

/**
 * @param text JSON that is serialised already. The headers are an object of this answer alone, here and below: the
 * adapter's class writes the length of the body into it.
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

/** The success shape of the manager API (contract section 1). */
export function success(fields: Readonly<Record<string, unknown>>, status = 200): Response {
  return jsonResponse({ success: true, ...fields }, status);
}

export function streamResponse(body: ReadableStream<Uint8Array>, contentType: string): Response {
  return new ResponseClass(body, {
    headers: { 'Content-Type': contentType, 'X-Content-Type-Options': nosniff, 'Cache-Control': 'no-store' },
  });
}

/** Server-sent events; proxies must neither buffer nor change them (mcp-spec rule 31). */
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
