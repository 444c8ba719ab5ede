/**
 * What a server wrote to stderr: its last lines, bounded in number and length, kept over restarts. Control
 * characters are escaped (a terminal must not obey a server) and values of secrets are blotted out before a
 * line is kept or shown.
 */
export interface LogLines {
  /** Takes text as it comes; a line is kept when it is complete. */
  write(chunk: string): void;
  /** A line of our own. */
  add(line: string): void;
  /** The last `count` lines, oldest first. */
  tail(count: number): readonly string[];
  follow(onLine: (line: string) => void): () => void;
  /** Values that must not be seen from now on, besides those hidden before. */
  hide(values: readonly string[]): void;
}

const mostLines = 1000;
const longestLine = 4096;
/** Shorter ones are no secrets, and hiding them would spoil every line. */
const shortestHidden = 4;

export function createLogLines(): LogLines {
  const lines: string[] = [];
  const followers = new Set<(line: string) => void>();
  const hidden = new Set<string>();
  let partial = '';
  let isOverlong = false;

  function add(text: string): void {
    const line = escapeControls(blot(text, hidden)).slice(0, longestLine);
    lines.push(line);
    if (lines.length > 2 * mostLines) lines.splice(0, lines.length - mostLines);
    for (const onLine of followers) onLine(line);
  }

  function write(chunk: string): void {
    const pieces = (partial + chunk).split('\n');
    partial = pieces.pop() ?? '';
    for (const piece of pieces) {
      if (!isOverlong) add(piece.endsWith('\r') ? piece.slice(0, -1) : piece);
      isOverlong = false;
    }
    if (partial.length <= longestLine) return;
    if (!isOverlong) add(partial);
    isOverlong = true;
    partial = '';
  }

  return {
    write,
    add,
    tail: (count) => (count > 0 ? lines.slice(-Math.min(count, mostLines)) : []),
    follow(onLine) {
      followers.add(onLine);
      return () => followers.delete(onLine);
    },
    hide(values) {
      for (const value of values) if (value.length >= shortestHidden) hidden.add(value);
    },
  };
}

function blot(text: string, hidden: ReadonlySet<string>): string {
  let blotted = text;
  for (const value of hidden) blotted = blotted.replaceAll(value, '***');
  return blotted;
}

/** Control characters but the tab, those that reorder text, and line separators. */
const unsafe = /(?!\t)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

function escapeControls(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`;
  });
}
