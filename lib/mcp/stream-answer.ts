import { type BoundedStream, createBoundedStream } from '../http/bounded-stream.ts';
import { commentLine, keepAliveMs, messageEvent } from '../http/event-stream-text.ts';
import { emptyResponse, eventStreamResponse, type HeaderMap, jsonText } from '../http/responses.ts';
import type { Accepted } from './accept.ts';

/**
 * Answers a POST as JSON, or as an event stream from the first message on that comes before the answer (2025-11-25
 * basic/transports, Sending Messages). A client that hangs up has not cancelled: the work goes on, unheard.
 */
export interface Answer {
  /** Undefined: the request was cancelled and gets no answer. */
  readonly text: string | undefined;
  readonly status: number;
  readonly headers?: HeaderMap;
}

/** @param work gets `emit`, which sends a message tied to this request, and resolves with the answer. */
export function streamAnswer(
  accepted: Accepted,
  work: (emit: (message: string) => void) => Promise<Answer>,
): Promise<Response> {
  let stream: BoundedStream | undefined;
  let isAnswered = false;
  return new Promise((resolve, reject) => {
    function emit(message: string): void {
      // Whatever comes late has no stream any more, and must not open one.
      if (!accepted.eventStream || isAnswered) return;
      if (stream === undefined) {
        stream = openStream();
        resolve(eventStreamResponse(stream.body));
      }
      stream.write(messageEvent(message));
    }
    function finish(answer: Answer): void {
      isAnswered = true;
      if (stream === undefined) resolve(plainAnswer(accepted, answer));
      else if (answer.text === undefined) stream.close();
      else stream.end(messageEvent(answer.text));
    }
    function fail(error: unknown): void {
      isAnswered = true;
      stream?.close();
      reject(error);
    }
    work(emit).then(finish, fail);
  });
}

function openStream(): BoundedStream {
  const stream = createBoundedStream(() => clearInterval(keepAlive));
  const keepAlive = setInterval(() => stream.write(commentLine('keep-alive')), keepAliveMs);
  return stream;
}

/**
 * The answer without anything before it. A client that reads event streams only gets a stream of one event, but
 * refusals stay plain: their HTTP status is part of the answer.
 */
export function plainAnswer(accepted: Accepted, answer: Answer): Response {
  if (answer.text === undefined) return emptyResponse(202);
  if (accepted.json || answer.status !== 200) return jsonText(answer.text, answer.status, answer.headers);
  const stream = createBoundedStream();
  stream.end(messageEvent(answer.text));
  return eventStreamResponse(stream.body, answer.headers);
}
