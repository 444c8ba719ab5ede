import { oneLine } from '../json/raw-json.ts';
import { encodedPieces, largeText } from './encoded-pieces.ts';

/** Server-sent events as bytes (HTML standard, 9.2). */
const encoder = new TextEncoder();

/** @param message JSON text. */
export function messageEvent(message: string): Uint8Array {
  return encoder.encode(`event: message\ndata: ${oneLine(message)}\n\n`);
}

/** A message after which the stream can be resumed. @param id of characters that a header may hold. */
export function numberedEvent(id: string, message: string): Uint8Array {
  return encoder.encode(`id: ${id}\nevent: message\ndata: ${oneLine(message)}\n\n`);
}

/** The last event of a stream, which may be long; without an `id` the stream cannot be resumed after it. */
export function lastEvent(message: string, id?: string): Uint8Array | Iterator<Uint8Array> {
  if (message.length <= largeText)
    return id === undefined ? messageEvent(message) : numberedEvent(id, message);
  const head = id === undefined ? '' : `id: ${id}\n`;
  return encodedPieces(`${head}event: message\ndata: `, oneLine(message), '\n\n');
}

/**
 * The first event of a stream, without data, so that the stream can be resumed from its beginning
 * (docs/protocol.md, rule 30).
 */
export function primingEvent(id: string, retryMs: number): Uint8Array {
  return encoder.encode(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`);
}

/** Sets how long the client waits before it reconnects. */
export function retryLine(retryMs: number): Uint8Array {
  return encoder.encode(`retry: ${retryMs}\n\n`);
}

/** An event of a type that a page can listen for. */
export function namedEvent(type: string, data: unknown): Uint8Array {
  return encoder.encode(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
}

/**
 * A line that clients ignore: opens a stream at once, and keeps idle ones alive through proxies
 * (docs/protocol.md, rule 31).
 */
export function commentLine(text: string): Uint8Array {
  return encoder.encode(`: ${text}\n\n`);
}

export const keepAliveLine = commentLine('keep-alive');
