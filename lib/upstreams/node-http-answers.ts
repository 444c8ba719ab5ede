import type { IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';

/**
 * Reads bodies of HTTP servers: whole ones, and event streams message by message. Both are bounded; a server
 * that sends more is cut off.
 */

/** Calls back once: with the text, or with undefined when it was longer than `mostBytes` or broke off. */
export function readText(
  response: IncomingMessage,
  mostBytes: number,
  onText: (text: string | undefined, isTooLong: boolean) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isDone = false;
  const done = (text: string | undefined) => {
    if (!isDone) onText(text, bytes > mostBytes);
    isDone = true;
  };
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) response.destroy();
    else chunks.push(chunk);
  });
  response.on('end', () => done(bytes > mostBytes ? undefined : joinText(chunks)));
  response.on('error', () => done(undefined));
  response.on('close', () => done(undefined));
}

function joinText(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  return first && chunks.length === 1 ? first.toString() : Buffer.concat(chunks).toString();
}

export interface EventStreamReader {
  readonly onMessage: (data: string) => void;
  /** Also after a break; `isTooLong`: an event was longer than allowed. */
  readonly onEnd: (isTooLong: boolean) => void;
}

/** Empty events prime a stream for resumption (revision 2025-11-25) and carry no message. */
export function readEventStream(
  response: IncomingMessage,
  mostBytes: number,
  reader: EventStreamReader,
): void {
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: mostBytes,
    onEvent({ event, data }) {
      if (data !== '' && (event === undefined || event === 'message')) reader.onMessage(data);
    },
    onError(error) {
      if (error.type !== 'max-buffer-size-exceeded') return;
      isTooLong = true;
      response.destroy();
    },
  });
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    if (!isTooLong) parser.feed(chunk);
  });
  response.on('error', () => {});
  response.on('close', () => reader.onEnd(isTooLong));
}

export function mediaType(response: IncomingMessage): string {
  return (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}
