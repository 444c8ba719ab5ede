/** Structured log. Fields carry names and ids, never values of variables, arguments or tokens. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** Logs nothing; for tests. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

export const serviceLogLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type ServiceLogLevel = (typeof serviceLogLevels)[number];
