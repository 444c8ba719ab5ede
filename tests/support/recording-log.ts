import type { Log, LogFields } from '../../lib/log.ts';

export interface LogEntry {
  readonly level: keyof Log;
  readonly fields: LogFields;
  readonly message: string;
}

/** A log that a test can read. */
export function createRecordingLog(): { log: Log; logged: LogEntry[] } {
  const logged: LogEntry[] = [];
  const at = (level: keyof Log) => (fields: LogFields, message: string) =>
    void logged.push({ level, fields, message });
  return { log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, logged };
}
