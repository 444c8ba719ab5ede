import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Failure } from '../../failure.ts';
import { newRequestId } from '../../http/report-failure.ts';
import { answerUnderWay } from './node-answer-under-way.ts';

/**
 * Answers on the bare socket, where there is no request: for input that Node's parser refuses, and for connections beyond a
 * limit. The file descriptor is released whatever the client does.
 */

/** Makes the body of a refusal: JSON-RPC at the gateway, the manager's own form at the manager. */
export type RefusalBody = (failure: Failure, requestId: string) => Record<string, unknown>;

/** Bytes. */
export const longestHeader = 16_384;
/** How long a client may take to read a refusal and to close, ms. */
const lingerMs = 1000;

const parserFailures: Readonly<Record<string, Failure>> = {
  HPE_HEADER_OVERFLOW: new Failure('header_too_large', `The header is larger than ${longestHeader} bytes.`),
  ERR_HTTP_REQUEST_TIMEOUT: new Failure('request_timeout', 'The request did not arrive in time.'),
};
const malformed = new Failure('invalid_request', 'The request is not valid HTTP.');
const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
};

/** Input that Node's parser refuses never becomes a request; it is answered if the socket is still writable. */
export function answerParserError(refusalBody: RefusalBody) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    // In the middle of an answer, such as an open event stream, these bytes would be taken for a part of it.
    const hasBegunToAnswer = answerUnderWay(socket)?.headersSent === true;
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegunToAnswer) {
      socket.destroy();
      return;
    }
    const failure = parserFailures[error.code ?? ''] ?? malformed;
    socket.end(rawAnswer(failure, refusalBody));
    // A client that does not close would keep the descriptor open.
    const lingering = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(lingering));
  };
}

/** Ends a connection beyond a limit: its descriptor is needed at once, so nothing of it is read. */
export function turnAway(connection: Socket, refusal: Failure, refusalBody: RefusalBody): void {
  // Written to the system before the connection is destroyed.
  connection.write(rawAnswer(refusal, refusalBody));
  connection.destroy();
}

function rawAnswer(failure: Failure, refusalBody: RefusalBody): string {
  const body = JSON.stringify(refusalBody(failure, newRequestId()));
  const headers = {
    Connection: 'close',
    'Content-Type': 'application/json',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': Buffer.byteLength(body),
    ...failure.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${failure.status} ${reasons[failure.status]}\r\n${lines.join('')}\r\n${body}`;
}
