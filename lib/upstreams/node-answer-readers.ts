import { createParser } from 'eventsource-parser';
import type { AnswerHead, AnswerReader } from './node-http-answer.ts';

/**
 * Readers of bodies: whole ones, and event streams message by message. Both are bounded: a server that sends more
 * is to be cut off.
 */
export type BodyReader = Pick<AnswerReader, 'onData'> & {
  /** Once: when the body is complete or broke off. */
  onOver(isComplete: boolean): void;
};

export interface AnswerHandler {
  /** @returns who reads the body, if anybody does. */
  onHead(head: AnswerHead): BodyReader | undefined;
  /** There is no answer. */
  onFailed(error: NodeJS.ErrnoException): void;
  /** The last call, after every other. */
  onOver(): void;
}

export function createAnswerReader(handler: AnswerHandler): AnswerReader {
  let hasHead = false;
  let body: BodyReader | undefined;
  return {
    onHead(head) {
      hasHead = true;
      body = handler.onHead(head);
    },
    onData: (bytes) => body?.onData(bytes),
    onEnd() {
      body?.onOver(true);
      handler.onOver();
    },
    onError(error) {
      if (hasHead) body?.onOver(false);
      else handler.onFailed(error);
      handler.onOver();
    },
  };
}

export interface TextReader {
  /** The text, or undefined when it broke off or was cut off. */
  onText(text: string | undefined, isTooLong: boolean): void;
  cutOff(): void;
}

export function createTextReader(mostBytes: number, reader: TextReader): BodyReader {
  const pieces: Buffer[] = [];
  let bytes = 0;
  return {
    onData(piece) {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes <= mostBytes) return;
      reader.cutOff();
      reader.onText(undefined, true);
    },
    onOver: (isComplete) => reader.onText(isComplete ? joinText(pieces) : undefined, false),
  };
}

function joinText(pieces: readonly Buffer[]): string {
  const [first] = pieces;
  return first && pieces.length === 1 ? first.toString() : Buffer.concat(pieces).toString();
}

export interface EventStreamReader {
  onMessage(data: string): void;
  /** Also after a break; `isTooLong`: an event was longer than allowed. */
  onEnd(isTooLong: boolean, position: StreamPosition): void;
  cutOff(): void;
}

/** Where an event stream can be taken up again, if it can (2025-11-25 basic/transports, Resumability). */
export interface StreamPosition {
  readonly lastEventId: string | undefined;
  /** How long the server wants us to wait before. */
  readonly retryMs: number | undefined;
}

/** Empty events prime a stream for resumption (revision 2025-11-25) and carry no message. */
export function createEventStreamReader(mostBytes: number, reader: EventStreamReader): BodyReader {
  const decoder = new TextDecoder();
  let isTooLong = false;
  let lastEventId: string | undefined;
  let retryMs: number | undefined;
  const parser = createParser({
    maxBufferSize: mostBytes,
    onRetry(wanted) {
      retryMs = wanted;
    },
    onEvent({ id, event, data }) {
      if (id !== undefined) lastEventId = id;
      if (data !== '' && (event === undefined || event === 'message')) reader.onMessage(data);
    },
    onError(error) {
      if (error.type !== 'max-buffer-size-exceeded' || isTooLong) return;
      isTooLong = true;
      reader.cutOff();
      reader.onEnd(true, { lastEventId: undefined, retryMs });
    },
  });
  return {
    onData(piece) {
      if (!isTooLong) parser.feed(decoder.decode(piece, { stream: true }));
    },
    onOver: () => reader.onEnd(false, { lastEventId, retryMs }),
  };
}

export function mediaType({ headers }: AnswerHead): string {
  const type = headers.get('content-type') ?? '';
  const end = type.indexOf(';');
  return (end < 0 ? type : type.slice(0, end)).trim().toLowerCase();
}
