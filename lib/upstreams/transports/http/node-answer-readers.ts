import { MessageGatherer } from '../../../json-rpc/node-message-gatherer.ts';
import type { ServerMessage } from '../../../json-rpc/server-messages.ts';
import { createEventReader } from './node-event-reader.ts';

/** Receives the answer of one HTTP exchange. `onEnd` or `onError` is the last call, and the only one of its kind. */
export interface AnswerReader {
  onHead(head: AnswerHead): void;
  /** A piece of the body. */
  onData(bytes: Buffer): void;
  /** The answer is complete. */
  onEnd(): void;
  onError(error: NodeJS.ErrnoException): void;
}

export interface AnswerHead {
  readonly status: number;
  /** By name in lower case; the values of a header that came twice are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>;
}

/**
 * Reads a body whole, or an event stream message by message. Both are bounded: the answer of a server that sends more is
 * cut off.
 */
export type BodyReader = Pick<AnswerReader, 'onData'> & {
  /** Once: when the body is complete or broke off. */
  onOver(isComplete: boolean): void;
};

export interface AnswerHandler {
  /** @returns the reader of the body; undefined: the body is discarded. */
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
  /** The body as one message, or undefined when it broke off or was cut off. */
  onText(text: ServerMessage | undefined, isTooLong: boolean): void;
  cutOff(): void;
}

export function createTextReader(mostBytes: number, reader: TextReader): BodyReader {
  const body = new MessageGatherer();
  let isCutOff = false;
  return {
    onData(piece) {
      if (isCutOff) return;
      body.add(piece);
      if (body.bytes <= mostBytes) return;
      isCutOff = true;
      body.clear();
      reader.cutOff();
      reader.onText(undefined, true);
    },
    onOver: (isComplete) => reader.onText(isComplete ? body.end() : undefined, false),
  };
}

export interface EventStreamReader {
  onMessage(data: ServerMessage): void;
  /** Also after a break; `isTooLong`: an event was longer than allowed. */
  onEnd(isTooLong: boolean, position: StreamPosition): void;
  cutOff(): void;
}

/** Where an event stream can be resumed, if it can (2025-11-25 basic/transports, Resumability). */
export interface StreamPosition {
  readonly lastEventId: string | undefined;
  /** The pause before that, as the server wants it. */
  readonly retryMs: number | undefined;
}

/** Empty events prime a stream for resumption (revision 2025-11-25) and carry no message. */
export function createEventStreamReader(mostBytes: number, reader: EventStreamReader): BodyReader {
  let isTooLong = false;
  let lastEventId: string | undefined;
  let retryMs: number | undefined;
  const read = createEventReader({
    mostBytes,
    onRetry(milliseconds) {
      retryMs = milliseconds;
    },
    onEvent({ id, type, data }) {
      if (id !== undefined) lastEventId = id;
      if (data !== '' && (type === '' || type === 'message')) reader.onMessage(data);
    },
    onTooLong() {
      isTooLong = true;
      reader.cutOff();
      reader.onEnd(true, { lastEventId: undefined, retryMs });
    },
  });
  return {
    onData(piece) {
      if (!isTooLong) read(piece);
    },
    onOver: () => reader.onEnd(false, { lastEventId, retryMs }),
  };
}

export function mediaType({ headers }: AnswerHead): string {
  const type = headers.get('content-type') ?? '';
  const end = type.indexOf(';');
  return (end < 0 ? type : type.slice(0, end)).trim().toLowerCase();
}
