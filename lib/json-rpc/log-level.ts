import { memberText } from '../json/raw-json.ts';

/** Levels of log messages (2025-11-25 server/utilities/logging), the most verbose first. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type LogLevel = (typeof logLevels)[number];

/** For sessions that did not say; the specification leaves it to the server. */
export const defaultLogLevel: LogLevel = 'info';

export function isLogLevel(value: unknown): value is LogLevel {
  return logLevels.some((level) => level === value);
}

/** The most verbose of them. */
export function mostVerbose(levels: Iterable<LogLevel>): LogLevel | undefined {
  const wanted = new Set(levels);
  return logLevels.find((level) => wanted.has(level));
}

export function isLogMessage(message: string): boolean {
  return memberText(message, 'method') === '"notifications/message"';
}

/** Whether a session of that level is to get this log message. One of a level nobody knows always is. */
export function isLogWanted(message: string, level: LogLevel = defaultLogLevel): boolean {
  const text = memberText(memberText(message, 'params') ?? '', 'level');
  const at = logLevels.findIndex((known) => `"${known}"` === text);
  return at < 0 || at >= logLevels.indexOf(level);
}
