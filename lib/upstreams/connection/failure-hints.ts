import type { ServerConfig } from '../../config/server-config.ts';
import { Failure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import type { LogLines } from '../transports/log-lines.ts';
import { strayText } from '../transports/stdio/stray-output.ts';
import { hintOfExitCode, hintOfLines } from './container-hints.ts';
import { lastLines } from './last-lines.ts';

/**
 * Why a server failed and what to do, as far as its exit code and last lines show. Everyone who calls the server reads
 * `sentence`, so it is our own; only the one who starts a server is shown a line of its output (`StartFailure`).
 */
export interface Hint {
  readonly sentence: string;
  /** The same with a line of the server's output. */
  readonly quoting?: string;
}

export interface FailedServer {
  readonly config: ServerConfig;
  /** The server's output since its start, secrets blotted out. */
  readonly lines: readonly string[];
  /** The server never listed its tools. */
  readonly isStart: boolean;
}

export class ExplainedFailure extends Failure {
  readonly plain: Failure;
  readonly hint: Hint | undefined;
  /** The server's last lines, for administrators only, never for callers of its tools. */
  readonly lines: readonly string[];

  constructor(plain: Failure, hint: Hint | undefined, lines: readonly string[]) {
    const { code, message, details, headers, cause } = plain;
    super(code, hint ? `${message} ${hint.sentence}` : message, { details, headers, cause });
    this.plain = plain;
    this.hint = hint;
    this.lines = lines;
  }
}

/** The server's last lines before this failure. */
export function linesBefore(failure: Failure | undefined): readonly string[] {
  return failure instanceof ExplainedFailure ? failure.lines : [];
}

/** The failure with hint and last lines, or the same failure where there are none. */
export function explained(failure: Failure, server: FailedServer): Failure {
  const isServers = failure.code === 'upstream_unavailable' || failure.code === 'upstream_timeout';
  const { out_of_memory, missing_variables } = failure.details ?? {};
  if (!isServers || missing_variables) return failure;
  const hint = out_of_memory ? undefined : hintOf(failure, server);
  const lines = lastLines(server.lines);
  return hint || lines.length > 0 ? new ExplainedFailure(failure, hint, lines) : failure;
}

function hintOf(failure: Failure, { config, lines, isStart }: FailedServer): Hint | undefined {
  const { exit_code: exitCode } = failure.details ?? {};
  const isContainer = config.image !== undefined;
  const isCrash = typeof exitCode === 'number' && exitCode !== 0;
  const ofLines = isContainer && (isStart || isCrash) ? hintOfLines(lines, config) : undefined;
  if (ofLines !== undefined) return { sentence: ofLines };
  const ofStray = isStart ? hintOfStray(lines, config) : undefined;
  if (ofStray !== undefined) return ofStray;
  const ofExit = isContainer && typeof exitCode === 'number' ? hintOfExitCode(exitCode, isStart) : undefined;
  return ofExit === undefined ? undefined : { sentence: ofExit };
}

const speaksOfHttp = /https?:\/\/|\bport\b|\blisten|localhost|0\.0\.0\.0/i;
const longestQuote = 160;

function hintOfStray(lines: readonly string[], { image }: ServerConfig): Hint | undefined {
  const stray = lines.flatMap((line) => strayText(line) ?? []);
  const last = stray.at(-1);
  if (last === undefined) return undefined;
  const remedy = stray.some((text) => speaksOfHttp.test(text))
    ? `It seems to serve HTTP: set \`transport\` to "streamable_http" and ${image ? 'its `port`' : 'its `url`'}.`
    : 'Give it the arguments with which it speaks MCP over standard input and output, and nothing else.';
  const what = 'It wrote text that is not MCP on standard output';
  const quote = last.length > longestQuote ? `${last.slice(0, longestQuote)}…` : last;
  return { sentence: `${what} (see its log). ${remedy}`, quoting: `${what}, such as: "${quote}". ${remedy}` };
}

/** Explains and logs the failures of one connection. */
export interface ServerFailures {
  /** A start begins: earlier lines explain nothing about it. */
  begin(): void;
  explained(failure: Failure, isStart: boolean): Failure;
  log(failure: Failure): void;
}

const linesSearched = 50;
const linesLogged = 20;

export function createServerFailures(options: {
  readonly config: ServerConfig;
  readonly logLines: LogLines;
  readonly log: Log;
}): ServerFailures {
  const { config, logLines, log } = options;
  let linesBeforeStart = 0;
  return {
    begin() {
      linesBeforeStart = logLines.count();
    },
    explained(failure, isStart) {
      const lines = logLines.tail(Math.min(logLines.count() - linesBeforeStart, linesSearched));
      return explained(failure, { config, lines, isStart });
    },
    log(failure) {
      log.warn({ server: config.name, stderr: logLines.tail(linesLogged) }, failure.message);
    },
  };
}
