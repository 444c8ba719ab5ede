import { endOfString } from './parse-json.ts';

/**
 * Finds and replaces members in raw JSON text, so that results, params and definitions pass through byte for
 * byte: big integers, unknown fields, key order and spacing survive, and only the members we route by are spliced.
 * The text must have been accepted by `JSON.parse` before; nothing here looks for syntax errors.
 * Duplicate keys are legal JSON: reading takes the last one, as `JSON.parse` does, and replacing takes them
 * all, so that a second `name` cannot smuggle a hidden tool past the gateway.
 */
export interface Member {
  readonly key: string;
  /** The value's text is `text.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** New raw text for a member's value, or how to make it from the old one. */
export type Replacement = string | ((value: string) => string);

const quote = 0x22;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** The members of the object that begins at `start` (spaces before it are skipped); empty for any other value. */
export function membersOf(text: string, start = 0): Member[] {
  let at = skipSpace(text, start);
  if (text.charCodeAt(at) !== openBrace) return [];
  const members: Member[] = [];
  at = skipSpace(text, at + 1);
  while (text.charCodeAt(at) === quote) {
    const keyEnd = endOfString(text, at) + 1;
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = endOfValue(text, valueStart);
    members.push({ key: decodeKey(text, at, keyEnd), start: valueStart, end });
    at = nextItem(text, end);
  }
  return members;
}

/** The elements of the array that begins at `start`; empty for any other value. */
export function elementsOf(text: string, start = 0): Span[] {
  let at = skipSpace(text, start);
  if (text.charCodeAt(at) !== openBracket) return [];
  const elements: Span[] = [];
  at = skipSpace(text, at + 1);
  while (at < text.length && text.charCodeAt(at) !== closeBracket) {
    const end = endOfValue(text, at);
    elements.push({ start: at, end });
    at = nextItem(text, end);
  }
  return elements;
}

/** Raw text of the last member of that name in the object at `start`. */
export function memberText(text: string, key: string, start = 0): string | undefined {
  const member = membersOf(text, start).findLast((candidate) => candidate.key === key);
  return member && text.slice(member.start, member.end);
}

/** The whole text, with every member so named in the object at `start` replaced; absent ones are not added. */
export function replaceMembers(
  text: string,
  start: number,
  replacements: Readonly<Record<string, Replacement>>,
): string {
  let replaced = '';
  let copied = 0;
  for (const member of membersOf(text, start)) {
    if (!Object.hasOwn(replacements, member.key)) continue;
    const replacement = replacements[member.key];
    if (replacement === undefined) continue;
    const value =
      typeof replacement === 'string' ? replacement : replacement(text.slice(member.start, member.end));
    replaced += text.slice(copied, member.start) + value;
    copied = member.end;
  }
  return copied === 0 ? text : replaced + text.slice(copied);
}

function skipSpace(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

/** Where the next key or element begins after a value that ended at `end`; at the closing bracket when none does. */
function nextItem(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text.charCodeAt(at) === comma ? skipSpace(text, at + 1) : at;
}

function decodeKey(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes('\\') ? String(JSON.parse(text.slice(start, end))) : inner;
}

function endOfValue(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === quote) return endOfString(text, start) + 1;
  if (code === openBrace || code === openBracket) return endOfNested(text, start);
  return endOfLiteral(text, start);
}

function endOfNested(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openBrace || code === openBracket) depth++;
    else if ((code === closeBrace || code === closeBracket) && --depth === 0) return at + 1;
  }
  return text.length;
}

/** A number, `true`, `false` or `null` ends at a separator, a bracket or a space. */
function endOfLiteral(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === comma || code === closeBrace || code === closeBracket || code <= 0x20) break;
    at++;
  }
  return at;
}

/**
 * JSON text as one line. Its line breaks can only be white space between tokens, where a space means the same; in an event
 * they would end the data line, over stdio the message.
 */
export function oneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replace(/[\r\n]/g, ' ') : json;
}
