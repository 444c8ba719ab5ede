import { type BoundedStream, createBoundedStream } from '../http/bounded-stream.ts';
import { messageEvent } from '../http/event-stream-text.ts';
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
  return new Promise((resolve, reject) => {
    function emit(message: string): void {
      if (!accepted.eventStream) return;
      if (stream === undefined) {
        stream = createBoundedStream();
        resolve(eventStreamResponse(stream.body));
      }
      stream.write(messageEvent(message));
    }
    work(emit).then((answer) => {
      if (stream === undefined) return resolve(plainAnswer(accepted, answer));
      if (answer.text === undefined) stream.close();
      else stream.end(messageEvent(answer.text));
    }, reject);
  });
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
