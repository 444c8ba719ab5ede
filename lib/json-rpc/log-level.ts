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

/** For sessions that set no level; the specification leaves the choice to the server. */
export const defaultLogLevel: LogLevel = 'info';

export function isLogLevel(value: unknown): value is LogLevel {
  return logLevels.some((level) => level === value);
}

/** The most verbose of these levels. */
export function mostVerbose(levels: Iterable<LogLevel>): LogLevel | undefined {
  const wanted = new Set(levels);
  return logLevels.find((level) => wanted.has(level));
}

export function isLogMessage(message: string): boolean {
  return memberText(message, 'method') === '"notifications/message"';
}

/** Whether a session of that level gets this log message. A message of an unknown level is always sent. */
export function isLogWanted(message: string, level: LogLevel = defaultLogLevel): boolean {
  const text = memberText(memberText(message, 'params') ?? '', 'level');
  const at = logLevels.findIndex((known) => `"${known}"` === text);
  return at < 0 || at >= logLevels.indexOf(level);
}
