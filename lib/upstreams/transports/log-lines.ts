import { createRedaction } from '../../secrets/redaction.ts';

/**
 * The last lines of a server's output besides its protocol, bounded in number and length. They outlive restarts. Control
 * characters are escaped (a terminal must not obey a server) and values of secrets are blotted out before a line is stored
 * or shown.
 */
export interface LogLines {
  /** For the output of one connection: pieces of two connections must not be joined to one line. */
  writer(): LogWriter;
  /** Adds a line of the gateway's own. */
  add(line: string): void;
  /** The last `count` lines, oldest first. */
  tail(count: number): readonly string[];
  /** The number of lines added so far. */
  count(): number;
  follow(onLine: (line: string) => void): () => void;
  /** Further secret values, hidden from now on. */
  hide(values: readonly string[]): void;
}

export interface LogWriter {
  /** Adds each line once it is complete. */
  write(chunk: string): void;
  /** Adds the rest that has no line end, such as a question at a prompt. */
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
    // A text may have been cut within a secret, and blotting shortens it, so that its end may come to be stored.
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
        // A secret that begins within the stored part must be complete to be found.
        if (partial.length <= longestLine + redaction.longest()) return;
        if (!isOverlong) add(partial);
        isOverlong = true;
        partial = '';
      },
      end() {
        // The output may have ended within a secret.
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

/** Lines of HTTP answers hold only the beginning (`httpAnswerLine` in `node-http-problems.ts`). */
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
