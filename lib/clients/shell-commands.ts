/**
 * Parses lines of a shell, as in a README, into commands and their words. Nothing is run or expanded: `$NAME` becomes our
 * `${NAME}`, and `$(…)` stays as it is, for callers to refuse. Unlike in a shell, an open quote ends with the text. A text
 * of more than 64 Ki characters has no commands.
 */
export function shellCommands(text: string): string[][] {
  if (text.length > longestText) return [];
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let rest = text; rest !== ''; ) {
    const { length, kind, value } = nextPiece(rest, word === undefined);
    if (kind === 'text') word = (word ?? '') + value;
    else if (kind === 'blank') endWord();
    else endCommand();
    rest = rest.slice(length);
  }
  endCommand();
  return commands;
}

/** In characters, which take some microseconds each. */
export const longestText = 65_536;

interface Piece {
  readonly length: number;
  readonly kind: 'text' | 'blank' | 'end';
  readonly value: string;
}

/** A line continues after a backslash, in PowerShell after a backtick, at the prompt of Windows after a caret. */
const continuation = /^[\\`^]\r?\n/;

function nextPiece(rest: string, isWordStart: boolean): Piece {
  const continued = continuation.exec(rest)?.[0];
  if (continued !== undefined) return { length: continued.length, kind: 'blank', value: '' };
  const comment = isWordStart ? /^#[^\n]*/.exec(rest)?.[0] : undefined;
  if (comment !== undefined) return { length: comment.length, kind: 'blank', value: '' };
  const blank = /^[ \t\r]+/.exec(rest)?.[0];
  if (blank !== undefined) return { length: blank.length, kind: 'blank', value: '' };
  // `KEY=<your key>` is for people: a shell would read a file of that name.
  const placeholder = /^<[\w .:/-]+>/.exec(rest)?.[0];
  if (placeholder !== undefined) return { length: placeholder.length, kind: 'text', value: placeholder };
  const end = /^[\n;&|<>]+/.exec(rest)?.[0];
  if (end !== undefined) return { length: end.length, kind: 'end', value: '' };
  return textPiece(rest);
}

function textPiece(rest: string): Piece {
  const text = (source: string, value: string): Piece => ({ length: source.length, kind: 'text', value });
  const single = /^'([^']*)'?/.exec(rest);
  if (single) return text(single[0], single[1] ?? '');
  const double = /^"((?:[^"\\]|\\[\s\S]?)*)"?/.exec(rest);
  if (double) return text(double[0], unquoted(double[1] ?? ''));
  const escaped = /^\\([\s\S])/.exec(rest);
  if (escaped) return text(escaped[0], escaped[1] ?? '');
  const run = /^\$\([^)]*\)?|^`[^`]*`?/.exec(rest)?.[0];
  if (run !== undefined) return text(run, run);
  const variable = /^\$\{?[A-Za-z_]\w*(?::-[^}]*)?\}?/.exec(rest)?.[0];
  if (variable !== undefined) return text(variable, asReference(variable));
  const plain = /^[^\s;&|<>'"\\$`^#]+/.exec(rest)?.[0] ?? rest.slice(0, 1);
  return text(plain, plain);
}

/** Within double quotes a backslash escapes only these. */
function unquoted(quoted: string): string {
  return quoted.replace(
    /\\(["\\$`])|\\\r?\n|\$\{?[A-Za-z_]\w*(?::-[^}]*)?\}?/g,
    (found, sign: string | undefined) => {
      if (sign !== undefined) return sign;
      return found.startsWith('$') ? asReference(found) : '';
    },
  );
}

function asReference(variable: string): string {
  return variable.replace(/^\$\{?([A-Za-z_]\w*).*$/s, (_, name: string) => `\${${name}}`);
}
