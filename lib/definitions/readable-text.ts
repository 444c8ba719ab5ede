import { endOfString } from '../json/parse-json.ts';
import type { Faults } from './rules.ts';

/**
 * Valid JSON text that the parsers of some official clients refuse together with the whole list around it (RFC 8259
 * sections 6, 8.2 and 9): half characters in escapes, numbers beyond the range of a double, deep nesting.
 */

/** Clients refuse 200 levels, of which the message around takes a few. */
const mostLevels = 128;

export function nestsTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > mostLevels) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

/** The text with such parts replaced by ones that every client can parse; the same string when there are none. */
export function readableText(text: string, faults: Faults): string {
  return readableNumbers(readableStrings(text, faults), faults);
}

const mayBeHalf = /\\u[dD][89a-fA-F]/;
/** A pair, a half, or any other escape. */
const escaped =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\./gs;
const lengthOfHalf = 6;

function readableStrings(text: string, faults: Faults): string {
  if (!mayBeHalf.test(text)) return text;
  const better = text.replace(escaped, (one) => (one.length === lengthOfHalf ? '\\ufffd' : one));
  if (better !== text) faults.push('definition has halves of characters and is shown with U+FFFD for them');
  return better;
}

const mayBeTooLarge = /\d{200}|[eE]\+?\d{3}/;
const number = /-?\d[\d.eE+-]*/y;
const largest = '1.7976931348623157e308';

function readableNumbers(text: string, faults: Faults): string {
  if (!mayBeTooLarge.test(text)) return text;
  let made = '';
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      number.lastIndex = at;
      const [literal = ''] = number.exec(text) ?? [];
      if (!Number.isFinite(Number(literal))) {
        made += text.slice(copied, at) + (code === 0x2d ? '-' : '') + largest;
        copied = at + literal.length;
      }
      at += literal.length - 1;
    }
  }
  if (copied === 0) return text;
  faults.push('definition has numbers that are too large and is shown with the largest one for them');
  return made + text.slice(copied);
}
