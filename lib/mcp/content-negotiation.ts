import type { SlowCallTimer } from '../async/slow-call-timer.ts';
import { Failure } from '../failure.ts';
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
import type { AnswerStream } from './streams/answer-streams.ts';

/**
 * The media types that a client of the endpoint accepts. The specification obliges clients to send `Accept` and names
 * no refusal; curl names any type, scripts often none: so JSON unless an event stream is named first or alone, and an
 * event stream only for clients that name it (docs/api.md, Gateway; docs/protocol.md, rule 8).
 */
export interface AcceptedTypes {
  readonly eventStream: boolean;
  /** Also for an answer without earlier messages. */
  readonly prefersStream: boolean;
}

const jsonRanges = new Set(['*/*', 'application/*', 'application/json']);
const both: AcceptedTypes = { eventStream: true, prefersStream: false };
const jsonOnly: AcceptedTypes = { eventStream: false, prefersStream: false };

/** @throws Failure `not_acceptable` when the client can read neither. */
export function readAccept(header: string | null): AcceptedTypes {
  if (header === null || header === '' || header === '*/*' || header === 'application/json') return jsonOnly;
  if (header === 'application/json, text/event-stream') return both;
  const ranges = header
    .split(',')
    .map((range) => range.trim().toLowerCase())
    .filter((range) => !/;\s*q=0(\.0*)?$/.test(range))
    .map((range) => range.split(';', 1)[0]?.trim() ?? '');
  const stream = ranges.indexOf('text/event-stream');
  const json = ranges.findIndex((range) => jsonRanges.has(range));
  if (stream < 0 && json < 0) {
    throw new Failure('not_acceptable', 'Accept `application/json`, `text/event-stream` or both.');
  }
  const eventStream = stream >= 0;
  return { eventStream, prefersStream: eventStream && (json < 0 || stream < json) };
}

export interface Answer {
  /** Undefined: the request was cancelled and gets no answer. */
  readonly text: string | undefined;
  readonly status: number;
  readonly headers?: HeaderMap;
}

/** How the stream is opened, if one is needed. */
export interface StreamOpening {
  readonly open: () => AnswerStream;
  /** Opens the stream when the answer takes long. */
  readonly slowCallTimer: SlowCallTimer;
}

export interface AnswerChannel {
  /** Sends a message tied to this request. */
  emit(message: string): void;
  /** Ends the connection but not the work: a client that can resume returns for the answer. */
  hangUp(): void;
}

/**
 * Answers the POST of a client that reads event streams: as JSON, or as an event stream, which opens with the first
 * message before the answer (2025-11-25 basic/transports, Sending Messages), or once the client has waited long enough
 * to need a sign of life and an id to resume from. A disconnect does not cancel: the work continues, and its messages
 * are stored.
 * @param work resolves with the answer.
 */
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
    // A message after the answer has no stream, and must not open one.
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
 * An answer without earlier messages. A client that accepts or prefers event streams only gets a stream of one event;
 * refusals stay JSON, since their HTTP status is part of the answer.
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
