import type { ServerConfig } from '../../config/server-config.ts';
import type { Failure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import type { LogLines } from '../transports/log-lines.ts';
import { explained } from './failure-hints.ts';

/** The failures of one connection, with what the server wrote before each. */
export interface ServerFailures {
  /** A start begins: what was written before it is of no matter. */
  begin(): void;
  explained(failure: Failure, isStart: boolean): Failure;
  log(failure: Failure): void;
}

const linesLooked = 50;
const linesLogged = 20;

export function createServerFailures(options: {
  readonly config: ServerConfig;
  readonly logLines: LogLines;
  readonly log: Log;
}): ServerFailures {
  const { config, logLines, log } = options;
  let before = 0;
  return {
    begin() {
      before = logLines.count();
    },
    explained(failure, isStart) {
      const lines = logLines.tail(Math.min(logLines.count() - before, linesLooked));
      return explained(failure, { config, lines, isStart });
    },
    log(failure) {
      log.warn({ server: config.name, stderr: logLines.tail(linesLogged) }, failure.message);
    },
  };
}
