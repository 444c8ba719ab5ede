import { CliFailure } from './cli-failure.ts';

/** @param what With its verb, such as "`--args` expects". @throws CliFailure, wrong usage, unless `text` is a JSON object. */
export function assertJsonObject(text: string, what: string): void {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  } catch {
    // Same sentence below.
  }
  throw new CliFailure(`${what} a JSON object in quotes, such as '{"message": "hello"}'.`, 2);
}
