import { createRedaction } from '../../secrets/redaction.ts';

/**
 * What a server wrote besides its protocol: its last lines, bounded in number and length, kept over restarts. Control
 * characters are escaped (a terminal must not obey a server) and values of secrets are blotted out before a
 * line is kept or shown.
 */
export interface LogLines {
  /** For what one connection writes: the pieces of two must not be joined to one line. */
  writer(): LogWriter;
  /** A line of our own. */
  add(line: string): void;
  /** The last `count` lines, oldest first. */
  tail(count: number): readonly string[];
  /** How many there were until now. */
  count(): number;
  follow(onLine: (line: string) => void): () => void;
  /** Values that must not be seen from now on, besides those hidden before. */
  hide(values: readonly string[]): void;
}

export interface LogWriter {
  /** Takes text as it comes; a line is kept when it is complete. */
  write(chunk: string): void;
  /** Nothing follows, so what has no line end is a line, such as a question at a prompt. */
  end(): void;
}

const mostLines = 1000;
const longestLine = 4096;

export function createLogLines(): LogLines {
  const lines: string[] = [];
  const followers = new Set<(line: string) => void>();
  const redaction = createRedaction();
  let added = 0;

  function add(text: string): void {
    // Blotting makes it shorter, so that its end may be within what is kept; whoever read it may have cut it there.
    const blotted = mayBeCut(text) ? redaction.applyToCut(text) : redaction.apply(text);
    const line = escapeControls(blotted).slice(0, longestLine);
    lines.push(line);
    added++;
    if (lines.length > 2 * mostLines) lines.splice(0, lines.length - mostLines);
    for (const onLine of followers) onLine(line);
  }

  function writer(): LogWriter {
    let partial = '';
    let isOverlong = false;
    return {
      write(chunk) {
        const pieces = (partial + chunk).split('\n');
        partial = pieces.pop() ?? '';
        for (const piece of pieces) {
          if (!isOverlong) add(piece.endsWith('\r') ? piece.slice(0, -1) : piece);
          isOverlong = false;
        }
        // A value that begins within what is kept must be there to its end to be found.
        if (partial.length <= longestLine + redaction.longest()) return;
        if (!isOverlong) add(partial);
        isOverlong = true;
        partial = '';
      },
      end() {
        // It may have ended within a value.
        if (partial !== '' && !isOverlong) add(redaction.applyToCut(partial));
        partial = '';
        isOverlong = false;
      },
    };
  }

  return {
    writer,
    add,
    tail: (count) => (count > 0 ? lines.slice(-Math.min(count, mostLines)) : []),
    count: () => added,
    follow(onLine) {
      followers.add(onLine);
      return () => followers.delete(onLine);
    },
    hide: redaction.hide,
  };
}

/** Of an answer over HTTP only the beginning is kept (`answerLine` in `node-http-problems.ts`). */
function mayBeCut(text: string): boolean {
  return text.length > longestLine || /^\[HTTP \d{3}\] /.test(text);
}

/** Control characters but the tab, those that reorder text, and line separators. */
const unsafe = /(?!\t)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

function escapeControls(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`;
  });
}
