import type { IRequestStrict } from 'itty-router';
import { Failure } from '../failure.ts';

/**
 * One path parameter, percent-decoded (the router leaves it encoded).
 * @throws Failure `invalid_request` when the encoding is broken.
 */
export function pathParam(request: IRequestStrict, name: string): string {
  const raw = request.params[name] ?? '';
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new Failure('invalid_request', 'The path is not validly percent-encoded.');
  }
}

/** One query parameter; given twice it is refused rather than guessed at. */
export function queryParam(request: IRequestStrict, name: string): string | undefined {
  const value = request.query[name];
  if (Array.isArray(value))
    throw new Failure('invalid_params', `Query parameter \`${name}\` may be given once.`);
  return value;
}
