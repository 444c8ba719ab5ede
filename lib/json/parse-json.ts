import { Failure } from '../failure.ts';

/** Bounds on JSON from outside (SECURITY.md, Limits): 300,000 keys within 4 MiB would hold up everybody for a second. */
export const maxJsonDepth = 64;
export const maxJsonTokens = 50_000;

const quote = 0x22;
const backslash = 0x5c;

/**
 * Parses JSON text from outside. One linear pass counts nesting and structural characters first, so that a
 * hostile text is refused before the parser allocates anything.
 * @throws Failure `invalid_request` when it nests or branches too much, `parse_error` when it is not JSON.
 */
export function parseJson(text: string): unknown {
  assertWithinLimits(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('parse_error', 'The body is not valid JSON.');
  }
}

export function assertWithinLimits(text: string): void {
  let depth = 0;
  let tokens = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case 0x7b: // {
      case 0x5b: // [
        tokens++;
        if (++depth > maxJsonDepth) {
          throw new Failure('invalid_request', `The JSON nests deeper than ${maxJsonDepth} levels.`);
        }
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
      case 0x2c: // ,
      case 0x3a: // :
        if (++tokens > maxJsonTokens) {
          throw new Failure('invalid_request', `The JSON has more than ${maxJsonTokens} elements.`);
        }
        break;
      default:
    }
  }
}

/** Index of the quote that closes the string opened at `start`; the text's length when it is never closed. */
export function endOfString(text: string, start: number): number {
  const at = text.indexOf('"', start + 1);
  if (at < 0) return text.length;
  // The search is many times faster than the loop until there are escaped quotes; then it is many times slower.
  return text.charCodeAt(at - 1) === backslash ? endOfEscaped(text, start + 1) : at;
}

function endOfEscaped(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at++;
  }
  return text.length;
}

/** A JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
