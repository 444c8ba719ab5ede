import type { ClientRequest } from 'node:http';
import { createBackOff } from './back-off.ts';
import { mediaType, readEventStream } from './node-http-answers.ts';
import { toSendProblem } from './node-http-endpoint.ts';

/**
 * The GET stream on which a server sends what belongs to no call, such as `list_changed`. A server may have none
 * (405). One that breaks is opened again, with growing pauses; one that cannot be reached, or has forgotten the
 * session, is reported as gone.
 */
export interface ServerStream {
  close(): void;
}

export interface ServerStreamOptions {
  readonly open: () => ClientRequest;
  /** Of one event. */
  readonly mostBytes: number;
  readonly onMessage: (text: string) => void;
  readonly onGone: (reason: string) => void;
}

const shortestPauseMs = 250;
/** A stream that stood this long was a good one. */
const goodLifeMs = 5000;

export function createServerStream(options: ServerStreamOptions): ServerStream {
  const backOff = createBackOff();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request: ClientRequest | undefined;
  let openedAt: number | undefined;
  let isClosed = false;

  function open(): void {
    const opened = options.open();
    request = opened;
    opened.on('response', (response) => {
      if (response.statusCode === 200 && mediaType(response) === 'text/event-stream') {
        openedAt = performance.now();
        const { mostBytes, onMessage } = options;
        readEventStream(response, mostBytes, { onMessage, onEnd: openLater });
        return;
      }
      response.resume();
      if ((response.statusCode ?? 0) >= 500) openLater();
      // Before any stream stood, a 404 means that this server has none.
      else if (response.statusCode === 404 && openedAt !== undefined) gone('its session ended');
    });
    opened.on('error', (error) => {
      const problem = toSendProblem(error);
      if (problem.neverSent) gone(problem.reason);
      else openLater();
    });
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
      request?.destroy();
    },
  };
}
