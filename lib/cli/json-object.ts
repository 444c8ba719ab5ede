import { isObject } from '../json/is-object.ts';
import { CliFailure } from './cli-failure.ts';

/** @param what With its verb, such as "`--args` expects". @throws CliFailure, wrong usage, unless `text` is a JSON object. */
export function assertJsonObject(text: string, what: string): void {
  try {
    if (isObject(JSON.parse(text))) return;
  } catch {
    // Same sentence below.
  }
  throw new CliFailure(`${what} a JSON object in quotes, such as '{"message": "hello"}'.`, 2);
}
