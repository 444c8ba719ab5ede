import { assertWithinLimits, endOfString } from '../json/parse-json.ts';

/**
 * JSON with comments and trailing commas (JSONC), as in the files of VS Code, Cursor and others. An invalid text is
 * refused with the position of the first error.
 */
export class JsonProblem extends Error {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;

  readonly #what: string;

  /** @param what Continues "line 3, column 5: ". */
  constructor(line: number, column: number, what: string) {
    super(`line ${line}, column ${column}: ${what}`);
    this.line = line;
    this.column = column;
    this.#what = what;
  }

  static at(text: string, at: number, what: string): JsonProblem {
    const before = text.slice(0, at);
    return new JsonProblem(before.split('\n').length, at - before.lastIndexOf('\n'), what);
  }

  /** The same in a text that lacks some lines of this one. */
  onLine(line: number): JsonProblem {
    return new JsonProblem(line, this.column, this.#what);
  }
}

/** @throws JsonProblem, and Failure `invalid_request` when it nests or branches too much. */
export function parseJsonc(text: string): unknown {
  const plain = withoutExtras(text.replace(/^\uFEFF/, ' '));
  assertWithinLimits(plain);
  try {
    return JSON.parse(plain);
  } catch {
    const { at, what } = firstProblem(plain);
    throw JsonProblem.at(text, at, what);
  }
}

/** Comments and trailing commas become blanks, so that everything else keeps its position. */
function withoutExtras(text: string): string {
  const extras: [start: number, end: number][] = [];
  /** The last significant character, and its position when it is a comma behind a value. */
  let [last, comma] = ['', -1];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    const commentEnd = sign === '/' ? endOfComment(text, at) : undefined;
    if (commentEnd !== undefined) {
      extras.push([at, commentEnd]);
      at = commentEnd - 1;
    } else if (sign.trim() !== '') {
      if ((sign === '}' || sign === ']') && last === ',' && comma >= 0) extras.push([comma, comma + 1]);
      comma = sign === ',' && last !== '' && !'[{,:'.includes(last) ? at : -1;
      last = sign;
      if (sign === '"') at = endOfString(text, at);
    }
  }
  extras.sort(([one], [other]) => one - other);
  const pieces = extras.map(([start, end], index) => {
    const [, kept] = extras[index - 1] ?? [0, 0];
    return text.slice(kept, start) + text.slice(start, end).replace(/[^\r\n]/g, ' ');
  });
  return pieces.join('') + text.slice(extras.at(-1)?.[1] ?? 0);
}

/** Undefined: not a comment. */
function endOfComment(text: string, start: number): number | undefined {
  if (text[start + 1] === '/') {
    const end = text.indexOf('\n', start);
    return end < 0 ? text.length : end;
  }
  if (text[start + 1] !== '*') return undefined;
  const end = text.indexOf('*/', start + 2);
  if (end < 0) throw JsonProblem.at(text, start, 'this comment never ends');
  return end + 2;
}

interface Problem {
  readonly at: number;
  readonly what: string;
}

const blanks = /[ \t\r\n]*/y;
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
type Expected = 'value' | 'first element' | 'name' | 'first name' | 'next';

/** The problem of a text that `JSON.parse` refused. */
function firstProblem(text: string): Problem {
  /** The closing bracket of each open container. */
  const open: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    at = endOfMatch(blanks, text, at) ?? at;
    const sign = text[at] ?? '';
    const closing = open.at(-1);
    const mayClose = expected !== 'value' && expected !== 'name';
    if (sign !== '' && mayClose && sign === closing) {
      open.pop();
      expected = 'next';
      at++;
    } else if (expected === 'next') {
      if (closing === undefined) return { at, what: 'nothing is expected behind the end' };
      if (sign !== ',') return missing(text, at, `\`,\` or \`${closing}\``);
      expected = closing === '}' ? 'name' : 'value';
      at++;
    } else if (expected === 'name' || expected === 'first name') {
      const end = sign === '"' ? endOfText(text, at) : missing(text, at, 'a name in double quotes');
      if (typeof end !== 'number') return end;
      at = endOfMatch(blanks, text, end) ?? end;
      if (text[at] !== ':') return missing(text, at, '`:`');
      expected = 'value';
      at++;
    } else if (sign === '{' || sign === '[') {
      open.push(sign === '{' ? '}' : ']');
      expected = sign === '{' ? 'first name' : 'first element';
      at++;
    } else {
      const end = sign === '"' ? endOfText(text, at) : endOfMatch(scalar, text, at);
      if (end === undefined) return missing(text, at, 'a value');
      if (typeof end !== 'number') return end;
      expected = 'next';
      at = end;
    }
  }
}

function missing(text: string, at: number, what: string): Problem {
  return { at, what: at >= text.length ? `it ends where ${what} is expected` : `expected ${what}` };
}

function endOfMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function endOfText(text: string, start: number): number | Problem {
  const end = endOfString(text, start);
  const inside = text.slice(start + 1, end);
  const lineEnd = inside.search(/[\r\n]/);
  if (end >= text.length || lineEnd >= 0) return { at: start, what: 'this text is not closed on its line' };
  const rest = inside.replace(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/g, '  ');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has none of them in texts
  if (/[\\\u0000-\u001f]/.test(rest))
    return { at: start, what: 'this text holds a `\\` or a character that JSON has not' };
  return end + 1;
}
