/**
 * Cuts a byte stream into lines. A line that arrives in many chunks is joined once, at its end: joining at every
 * chunk would make a line of 10 MiB cost gigabytes of copying. Decoding whole lines also keeps characters whole.
 */
export interface LineReaderOptions {
  readonly longestLineBytes: number;
  readonly onLine: (line: string) => void;
  /** The stream must be given up; nothing further is reported. */
  readonly onTooLong: () => void;
}

const newline = 0x0a;

export function createLineReader(options: LineReaderOptions): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let isOver = false;

  function takePieces(last: Buffer): string {
    if (pieces.length === 0) return last.toString();
    const line = Buffer.concat([...pieces, last]).toString();
    pieces = [];
    bytes = 0;
    return line;
  }

  function refuse(): void {
    isOver = true;
    pieces = [];
    options.onTooLong();
  }

  return (chunk) => {
    let start = 0;
    while (!isOver) {
      const end = chunk.indexOf(newline, start);
      const length = (end < 0 ? chunk.length : end) - start;
      if (bytes + length > options.longestLineBytes) return refuse();
      if (end < 0) break;
      const line = takePieces(chunk.subarray(start, end));
      if (line.length > 0) options.onLine(line);
      start = end + 1;
    }
    if (isOver || start >= chunk.length) return;
    pieces.push(start === 0 ? chunk : chunk.subarray(start));
    bytes += chunk.length - start;
  };
}
