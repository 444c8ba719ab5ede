/**
 * The text of a secrets file: `NAME=value` lines as in other tools' env files. Parsing and editing keep every
 * comment, blank line and foreign assignment byte for byte; any value can be written and reads back the same.
 * Nothing is expanded: a `$` in a value is a dollar sign. No file access here.
 *
 * A value is bare (ends at a ` #` comment or the line's end, trimmed), 'single quoted' (raw, may span lines), or
 * "double quoted" (`\n`, `\r`, `\t`, `\"`, `\\` and `\$` are escapes, may span lines).
 */

interface Piece {
  /** The exact text in the file, line break included. */
  readonly text: string;
  /** Undefined for comments, blank lines and unreadable lines. */
  readonly name: string | undefined;
  readonly value: string;
}

/** Name → value; of a name that occurs twice the last one counts. */
export function parseSecretFile(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const piece of piecesOf(text)) {
    if (piece.name !== undefined) values.set(piece.name, piece.value);
  }
  return values;
}

export interface SecretEdit {
  readonly set?: ReadonlyMap<string, string>;
  readonly remove?: Iterable<string>;
}

/** New names are appended, known ones change at their last occurrence. */
export function editSecretFile(text: string, edit: SecretEdit): string {
  const removed = new Set(edit.remove);
  const pending = new Map(edit.set);
  const pieces: string[] = [];
  for (const piece of piecesOf(text).reverse()) {
    const value = piece.name === undefined ? undefined : edit.set?.get(piece.name);
    if (piece.name === undefined) pieces.push(piece.text);
    else if (value === undefined) {
      if (!removed.has(piece.name)) pieces.push(piece.text);
    } else if (pending.delete(piece.name)) pieces.push(assignment(piece.name, value));
  }
  const body = pieces.reverse().join('');
  const added = [...pending].map(([name, value]) => assignment(name, value)).join('');
  return body !== '' && !body.endsWith('\n') && added !== '' ? `${body}\n${added}` : body + added;
}

const nameAndEquals = /^\uFEFF?[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*/;
const quotedValue = /^(?:'([^']*)'|"((?:[^"\\]|\\[\s\S])*)")[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/;

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf('\n', at) + 1 || text.length;
    const line = text.slice(at, end);
    const piece = readAssignment(line, text.slice(at)) ?? { text: line, name: undefined, value: '' };
    pieces.push(piece);
    at += piece.text.length;
  }
  return pieces;
}

/** @param rest The text from this line on: a quoted value may span several lines. */
function readAssignment(line: string, rest: string): Piece | undefined {
  const start = line.match(nameAndEquals);
  if (!start) return undefined;
  const head = start[0];
  const name = start[1];
  const quoted = rest.slice(head.length).match(quotedValue);
  if (quoted) {
    const value = quoted[1] ?? resolveEscapes(quoted[2] ?? '');
    return { text: head + quoted[0], name, value };
  }
  const bare = line.slice(head.length).replace(/(?:^|[ \t])#.*/s, '');
  return { text: line, name, value: bare.trim() };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };

/** An unknown escape stays as it is, backslash included. */
function resolveEscapes(text: string): string {
  return text.replace(/\\([\s\S])/g, (whole, letter: string) => escapes[letter] ?? whole);
}

function assignment(name: string, value: string): string {
  return `${name}=${quote(value)}\n`;
}

/** Single quotes where they suffice: every reader of such files takes their content literally. */
function quote(value: string): string {
  if (/^[A-Za-z0-9_./:@%+,=-]+$/.test(value)) return value;
  if (!/['\r\n]/.test(value)) return `'${value}'`;
  const escaped = value.replace(/[\\"\n\r$]/g, (letter) => `\\${{ '\n': 'n', '\r': 'r' }[letter] ?? letter}`);
  return `"${escaped}"`;
}
