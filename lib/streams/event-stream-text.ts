import { encodedPieces, largeText } from './encoded-pieces.ts';

/** Server-sent events as bytes (HTML standard, 9.2). */
const encoder = new TextEncoder();

/**
 * JSON text as one line. Line breaks in it can only be white space between tokens, where a space says the same; in an
 * event they would end the data line.
 */
export function oneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replace(/[\r\n]/g, ' ') : json;
}

/** @param message JSON text. */
export function messageEvent(message: string): Uint8Array {
  return encoder.encode(`event: message\ndata: ${oneLine(message)}\n\n`);
}

/** A message that the stream can be resumed after. @param id of characters that a header takes. */
export function numberedEvent(id: string, message: string): Uint8Array {
  return encoder.encode(`id: ${id}\nevent: message\ndata: ${oneLine(message)}\n\n`);
}

/** The last event of a stream, which may be a long one; without an `id` it cannot be resumed after. */
export function lastEvent(message: string, id?: string): Uint8Array | Iterator<Uint8Array> {
  if (message.length <= largeText)
    return id === undefined ? messageEvent(message) : numberedEvent(id, message);
  const head = id === undefined ? '' : `id: ${id}\n`;
  return encodedPieces(`${head}event: message\ndata: `, oneLine(message), '\n\n');
}

/** The event without data that a stream opens with, so that it can be resumed from its beginning (rule 30). */
export function primingEvent(id: string, retryMs: number): Uint8Array {
  return encoder.encode(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`);
}

/** From now on the client waits this long before it comes back. */
export function retryLine(retryMs: number): Uint8Array {
  return encoder.encode(`retry: ${retryMs}\n\n`);
}

/** An event of another type, as `message` ones are all alike to a page that listens for it. */
export function namedEvent(type: string, data: unknown): Uint8Array {
  return encoder.encode(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** A line that clients ignore: opens a stream at once, and keeps idle ones alive through proxies (rule 31). */
export function commentLine(text: string): Uint8Array {
  return encoder.encode(`: ${text}\n\n`);
}

export const keepAliveLine = commentLine('keep-alive');
