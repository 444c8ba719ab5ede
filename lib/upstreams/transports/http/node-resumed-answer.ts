import type { ServerMessage } from '../../../json-rpc/server-messages.ts';
import {
  type AnswerHead,
  type AnswerReader,
  type BodyReader,
  createAnswerReader,
  createEventStreamReader,
  mediaType,
  type StreamPosition,
} from './node-answer-readers.ts';
import type { HttpExchange } from './node-http-connection.ts';
import { toSendProblem } from './node-http-endpoint.ts';

/**
 * Resumes an event stream that ended before its answer, with GET and `Last-Event-ID`, as often as the server sends new
 * events (2025-11-25 basic/transports, Resumability; SEP-1699). Servers may end streams at any time, so that they need not
 * keep a connection open for as long as a call takes.
 */
export interface ResumedAnswerOptions {
  readonly position: StreamPosition;
  /** Of one event. */
  readonly mostBytes: number;
  readonly open: (lastEventId: string, reader: AnswerReader) => HttpExchange;
  readonly onMessage: (message: ServerMessage) => void;
  /** False once the answer has come or the call is given up. */
  readonly isAwaited: () => boolean;
  /** The stream cannot be resumed. */
  readonly onGivenUp: () => void;
  /** The last call, after every other. */
  readonly onOver: () => void;
}

const usualPauseMs = 1_000;
const longestPauseMs = 30_000;
/** In a row, without a new event. */
const mostAttempts = 5;
/** Characters that a header may hold. */
const sendableId = /^[\x20-\x7e]{1,1024}$/;

export function resumeAnswer(options: ResumedAnswerOptions): Pick<HttpExchange, 'abort'> {
  let { position } = options;
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let exchange: HttpExchange | undefined;
  let isOver = false;

  function end(): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    if (options.isAwaited()) options.onGivenUp();
    options.onOver();
  }

  function openLater(): void {
    if (isOver) return;
    attempts++;
    const { lastEventId = '', retryMs = usualPauseMs } = position;
    const isHopeless = attempts > mostAttempts || !sendableId.test(lastEventId);
    if (isHopeless || !options.isAwaited()) end();
    else timer = setTimeout(() => open(lastEventId), Math.min(retryMs, longestPauseMs));
  }

  function open(lastEventId: string): void {
    exchange = options.open(lastEventId, createAnswerReader({ onHead, onFailed, onOver: () => {} }));
  }

  function onFailed(error: NodeJS.ErrnoException): void {
    if (toSendProblem(error).neverSent) end();
    else openLater();
  }

  function onHead(head: AnswerHead): BodyReader | undefined {
    if (head.status === 200 && mediaType(head) === 'text/event-stream') {
      const { mostBytes, onMessage } = options;
      return createEventStreamReader(mostBytes, { onMessage, onEnd, cutOff: () => exchange?.abort() });
    }
    if (head.status >= 500) openLater();
    else end();
    return undefined;
  }

  function onEnd(isTooLong: boolean, { lastEventId, retryMs }: StreamPosition): void {
    if (lastEventId !== undefined && lastEventId !== position.lastEventId) attempts = 0;
    position = {
      lastEventId: lastEventId ?? position.lastEventId,
      retryMs: retryMs ?? position.retryMs,
    };
    if (isTooLong) end();
    else openLater();
  }

  openLater();
  return {
    abort() {
      isOver = true;
      clearTimeout(timer);
      exchange?.abort();
    },
  };
}
