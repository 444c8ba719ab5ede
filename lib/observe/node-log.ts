import { type LoggerOptions, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Log, ServiceLogLevel } from '../log.ts';
import { printable, printableValue } from '../text/printable.ts';

/**
 * The service's log on stdout: one JSON line per event, readable lines in a terminal. pino escapes control characters,
 * so nothing a client sends can forge a line; pino-pretty does not, so its input is escaped first. Lines are written
 * synchronously, so that the last ones before a crash are not lost.
 */
export function createLog(level: ServiceLogLevel, isTerminal: boolean): Log {
  const options: LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: pino.stdSerializers.err },
  };
  if (!isTerminal) return pino(options, pino.destination({ dest: 1, sync: true }));
  const forTerminal: LoggerOptions = {
    ...options,
    // `printableFields` serializes errors; a second time, the result would pass for an error of another type.
    serializers: {},
    formatters: { ...options.formatters, log: printableFields },
    hooks: {
      logMethod(given, method) {
        method.apply(
          this,
          given.map((one) => (typeof one === 'string' ? printable(one) : one)) as typeof given,
        );
      },
    },
  };
  return pino(forTerminal, pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }));
}

function printableFields(fields: object): Record<string, unknown> {
  const { err } = pino.stdSerializers;
  const entries = Object.entries(fields).map(([key, value]) => [
    key,
    value instanceof Error ? err(value) : value,
  ]);
  return Object.fromEntries(entries.map(([key, value]) => [printable(key), printableValue(value)]));
}
