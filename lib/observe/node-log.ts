import { pino } from 'pino';
import pretty from 'pino-pretty';
import type { Log, LogLevel } from './log.ts';

/**
 * The service's log on stdout: one JSON line per event, readable lines in a terminal. pino escapes control
 * characters, so nothing a client sends can forge a line. Written at once: the last words before a crash count.
 */
export function createLog(level: LogLevel, isTerminal: boolean): Log {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: pino.stdSerializers.err },
  };
  if (!isTerminal) return pino(options, pino.destination({ dest: 1, sync: true }));
  return pino(options, pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }));
}
