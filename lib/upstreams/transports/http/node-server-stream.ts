import { createBackOff, reconnectPauses } from '../../../async/back-off.ts';
import type { ServerMessage } from '../../../json-rpc/server-messages.ts';
import {
  type AnswerHead,
  type AnswerReader,
  type BodyReader,
  createAnswerReader,
  createEventStreamReader,
  mediaType,
} from './node-answer-readers.ts';
import type { HttpExchange } from './node-http-connection.ts';
import { toSendProblem } from './node-http-endpoint.ts';

/**
 * The GET stream on which a server sends messages that belong to no call, such as `list_changed`. A server may have no such
 * stream (405). A stream that breaks is opened again, with growing pauses; when the server cannot be reached, or its session
 * has ended, the stream is reported as gone.
 */
export interface ServerStream {
  close(): void;
}

export interface ServerStreamOptions {
  readonly open: (reader: AnswerReader) => HttpExchange;
  /** Of one event. */
  readonly mostBytes: number;
  readonly onMessage: (message: ServerMessage) => void;
  readonly onGone: (reason: string) => void;
}

const shortestPauseMs = 250;
/** After a stream that was open this long, pauses begin anew. */
const goodLifeMs = 5000;

export function createServerStream(options: ServerStreamOptions): ServerStream {
  const backOff = createBackOff(reconnectPauses);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let exchange: HttpExchange | undefined;
  let openedAt: number | undefined;
  let isClosed = false;

  function open(): void {
    exchange = options.open(
      createAnswerReader({
        onHead,
        onFailed(error) {
          const problem = toSendProblem(error);
          if (problem.neverSent) gone(problem.reason);
          else openLater();
        },
        onOver: () => {},
      }),
    );
  }

  function onHead(head: AnswerHead): BodyReader | undefined {
    if (head.status === 200 && mediaType(head) === 'text/event-stream') {
      openedAt = performance.now();
      const { mostBytes, onMessage } = options;
      return createEventStreamReader(mostBytes, { onMessage, onEnd: openLater, cutOff: close });
    }
    if (head.status >= 500) openLater();
    // Before any stream was open, a 404 means that this server has none.
    else if (head.status === 404 && openedAt !== undefined) gone('its session ended');
    return undefined;
  }

  function close(): void {
    exchange?.abort();
  }

  function openLater(): void {
    if (isClosed) return;
    clearTimeout(timer);
    if (openedAt !== undefined && performance.now() - openedAt > goodLifeMs) backOff.reset();
    timer = setTimeout(open, Math.max(shortestPauseMs, backOff.next()));
  }

  function gone(reason: string): void {
    if (!isClosed) options.onGone(reason);
  }

  open();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      close();
    },
  };
}
