import type { SlowCallTimer } from '../async/slow-call-timer.ts';
import {
  emptyResponse,
  eventStreamResponse,
  type HeaderMap,
  jsonStream,
  jsonText,
} from '../http/responses.ts';
import { createBoundedStream } from '../streams/bounded-stream.ts';
import { encodedPieces, largeText } from '../streams/encoded-pieces.ts';
import { lastEvent } from '../streams/event-stream-text.ts';
import type { AcceptedTypes } from './content-negotiation.ts';
import type { AnswerStream } from './streams/answer-streams.ts';

/**
 * Answers a POST as JSON, or as an event stream from the first message on that comes before the answer (2025-11-25
 * basic/transports, Sending Messages), or from the moment on that the client has waited long enough to be told that we
 * live, and to come back if it can. A client that hangs up has not cancelled: the work goes on, and what comes is kept.
 */
export interface Answer {
  /** Undefined: the request was cancelled and gets no answer. */
  readonly text: string | undefined;
  readonly status: number;
  readonly headers?: HeaderMap;
}

/** How the stream is opened, when there is one. */
export interface StreamOpening {
  readonly open: () => AnswerStream;
  /** Opened when the answer takes long. */
  readonly slowCallTimer: SlowCallTimer;
}

export interface AnswerChannel {
  /** Sends a message tied to this request. */
  emit(message: string): void;
  /** Ends the connection and not the work: the client comes back for the answer, if it was told how. */
  hangUp(): void;
}

/** For clients that read event streams. @param work resolves with the answer. */
export function answerAsJsonOrStream(
  accepted: AcceptedTypes,
  opening: StreamOpening,
  work: (channel: AnswerChannel) => Promise<Answer>,
): Promise<Response> {
  let stream: AnswerStream | undefined;
  let isAnswered = false;
  return new Promise((resolve, reject) => {
    const { slowCallTimer } = opening;
    const opened = (): AnswerStream => {
      if (stream === undefined) {
        endWait();
        stream = opening.open();
        resolve(eventStreamResponse(stream.body));
      }
      return stream;
    };
    const waiting = slowCallTimer.add(() => opened().begin());
    const endWait = () => slowCallTimer.delete(waiting);
    // Whatever comes late has no stream any more, and must not open one.
    const channel: AnswerChannel = {
      emit(message) {
        if (!isAnswered) opened().send(message);
      },
      hangUp() {
        if (!isAnswered) opened().hangUp();
      },
    };
    const end = (answer: Answer | undefined): boolean => {
      isAnswered = true;
      endWait();
      stream?.end(answer?.text);
      return stream !== undefined;
    };
    work(channel).then(
      (answer) => end(answer) || resolve(plainAnswer(accepted, answer)),
      (error) => end(undefined) || reject(error),
    );
  });
}

/**
 * The answer without anything before it. A client that reads event streams only, or rather, gets a stream of one event,
 * but refusals stay plain: their HTTP status is part of the answer.
 */
export function plainAnswer(accepted: AcceptedTypes, answer: Answer): Response {
  if (answer.text === undefined) return emptyResponse(202);
  const isPlain = !accepted.prefersStream || answer.status !== 200;
  if (isPlain && answer.text.length <= largeText) return jsonText(answer.text, answer.status, answer.headers);
  const stream = createBoundedStream();
  stream.end(isPlain ? encodedPieces(answer.text) : lastEvent(answer.text));
  return isPlain
    ? jsonStream(stream.body, answer.status, answer.headers)
    : eventStreamResponse(stream.body, answer.headers);
}
