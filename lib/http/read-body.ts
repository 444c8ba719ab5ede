import { Failure } from '../failure.ts';
import { parseJson } from '../json/parse-json.ts';

/**
 * Reads request bodies, once and bounded. The media type is parsed, never searched for a substring: `text/plain;
 * application/json` is a type that a foreign web page may send without asking (CSRF).
 */

/** The body of a state-changing manager call, parsed. Throws 400, 413 and 415 failures. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  return parseJson(await readJsonText(request, maxBytes));
}

/**
 * The body as text, after its headers were checked.
 * @throws Failure `unsupported_media_type`, `payload_too_large`, `parse_error` (not UTF-8), `invalid_request` (broke
 * off).
 */
export function readJsonText(request: Request, maxBytes: number): Promise<string> {
  assertJsonHeaders(request.headers);
  const declared = request.headers.get('content-length');
  if (declared === null) return readCounting(request, maxBytes);
  if (Number(declared) > maxBytes) throw tooLarge(maxBytes);
  return request.arrayBuffer().then(decode, brokeOff);
}

const jsonTypes = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
]);

function assertJsonHeaders(headers: Headers): void {
  const type = headers.get('content-type') ?? '';
  if (!jsonTypes.has(type) && type.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') {
    throw new Failure('unsupported_media_type', 'Send the body with `Content-Type: application/json`.');
  }
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new Failure('unsupported_media_type', 'Send the body without `Content-Encoding`.');
  }
}

/** Without a declared length the adapter would collect any amount; count while reading instead. */
async function readCounting(request: Request, maxBytes: number): Promise<string> {
  if (request.body === null) return '';
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(brokeOff);
    if (done) break;
    total += value.byteLength;
    if (total > maxBytes) {
      void discardRest(reader);
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return decode(bytes);
}

/** Cancelling would reset the connection, and the client would never read the refusal. The server's time limit ends it. */
async function discardRest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client has left.
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Failure('parse_error', 'The body is not valid UTF-8.');
  }
}

/** No client is left to read this; the error must not count as `internal`. */
function brokeOff(cause: unknown): never {
  throw new Failure('invalid_request', 'The body broke off before its end.', { cause });
}

function tooLarge(maxBytes: number): Failure {
  return new Failure('payload_too_large', `The body is larger than ${maxBytes} bytes.`);
}

/** As `readJson`; `{}` for a request that announces no body. */
export async function readOptionalJson(request: Request, maxBytes: number): Promise<unknown> {
  const { headers } = request;
  const isAnnounced =
    headers.has('content-type') ||
    headers.has('transfer-encoding') ||
    Number(headers.get('content-length') ?? 0) > 0;
  return isAnnounced ? await readJson(request, maxBytes) : {};
}
