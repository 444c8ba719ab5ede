import { Failure } from '../failure.ts';
import {
  type MessageExcess,
  maxAnswerDepth,
  maxAnswerElements,
  maxParsedCharacters,
  maxParsedElements,
} from '../json-rpc/server-messages.ts';
import { ExplainedFailure, linesBefore } from './connection/failure-hints.ts';
import { tellingLine } from './connection/last-lines.ts';
import type { StartDetails } from './start-details.ts';
import type { ServerEnd } from './transports/transport.ts';

/**
 * The failures of this room, whose messages name the server. Reasons are short clauses of our own ("its process ended
 * with code 1"): never stderr, addresses, paths or values, which go to the log.
 */
export function unavailable(
  server: string,
  reason: string,
  { exitCode, outOfMemory = false }: ServerEnd = {},
): Failure {
  const memory = outOfMemory ? { out_of_memory: true as const } : {};
  const details: StartDetails | undefined =
    exitCode === undefined ? undefined : { exit_code: exitCode, ...memory };
  return new Failure('upstream_unavailable', `The server "${server}" is unavailable: ${reason}.`, {
    details,
  });
}

/** The answer to one call is beyond a limit; other calls go on. */
export function tooMuch(server: string, excess: MessageExcess): Failure {
  return new Failure(
    'upstream_unavailable',
    `The answer of the server "${server}" was refused: it ${excesses[excess]}.`,
  );
}

/** Each continues "it …". */
export const excesses: Readonly<Record<MessageExcess, string>> = {
  depth: `nests deeper than ${maxAnswerDepth} levels`,
  elements: `has more than ${maxAnswerElements} elements`,
  'call-length': `is longer than ${maxParsedCharacters} characters`,
  'call-elements': `has more than ${maxParsedElements} elements`,
};

/** The request never reached the server, so it may be sent once more over a new connection. */
export class NotSent extends Failure {}

/**
 * For the one who started a server that did not come up: `details.log_tail` has the server's last lines, and the message
 * quotes the most telling one.
 */
export class StartFailure extends Failure {
  readonly logTail: readonly string[];
  /** Quoted line, cause and remedy, as far as they are known; the message ends with it. */
  readonly hint: string | undefined;

  constructor(failure: Failure) {
    const { plain = failure, hint: known } = failure instanceof ExplainedFailure ? failure : {};
    const { code, message, details, headers, cause } = plain;
    const logTail = linesBefore(failure);
    const written: StartDetails = logTail.length === 0 ? {} : { log_tail: logTail };
    const quote = known?.quoting === undefined ? quoteOf(logTail) : undefined;
    const hint = [quote, known?.quoting ?? known?.sentence].filter(Boolean).join(' ') || undefined;
    super(code, hint === undefined ? message : `${message} ${hint}`, {
      ...{ headers, cause },
      details: logTail.length === 0 ? details : { ...details, ...written },
    });
    this.logTail = logTail;
    this.hint = hint;
  }
}

const longestQuote = 200;

function quoteOf(lines: readonly string[]): string | undefined {
  const line = tellingLine(lines);
  if (line === undefined) return undefined;
  return `It wrote: "${line.length > longestQuote ? `${line.slice(0, longestQuote)}…` : line}".`;
}

export function notSent(failure: Failure): NotSent {
  return new NotSent(failure.code, failure.message);
}

export function timedOut(server: string, milliseconds: number): Failure {
  return new Failure(
    'upstream_timeout',
    `The server "${server}" did not answer within ${duration(milliseconds)}.`,
  );
}

/** @param blockedBy What the start still waits for, where the transport knows. */
export function startTimedOut(server: string, milliseconds: number, blockedBy?: string): Failure {
  const what = `The server "${server}" did not list its tools within ${duration(milliseconds)} of its start`;
  const because = blockedBy === undefined ? '.' : `: ${blockedBy}.`;
  return new Failure(
    'upstream_timeout',
    `${what}${because} If it only needs longer, raise \`timeouts.start_ms\` (${milliseconds}).`,
  );
}

export function tooManyCalls(server: string): Failure {
  return new Failure(
    'too_many_requests',
    `The server "${server}" has too many calls waiting; try again shortly.`,
    {
      headers: { 'Retry-After': '1' },
    },
  );
}

export function tooManySessions(server: string, limit: number): Failure {
  return new Failure(
    'too_many_requests',
    `The server "${server}" already serves ${limit} sessions, which is its limit; try again later.`,
    { headers: { 'Retry-After': '5' } },
  );
}

export function unknownServer(server: string): Failure {
  return new Failure('server_not_found', `There is no server "${server}".`);
}

function duration(milliseconds: number): string {
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
}
