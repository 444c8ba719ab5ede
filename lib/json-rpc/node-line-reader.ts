import { MessageGatherer } from './node-message-gatherer.ts';
import { judgedFromBytes, type ServerMessage } from './server-messages.ts';

/**
 * Cuts a byte stream into lines, each a message. A line that arrives in many chunks is joined once, at its end, or judged
 * and decoded as it arrives: joining at every chunk would make a line of 10 MiB cost gigabytes of copying. Apart from
 * `lib/streams/lines.ts`, which has no bound, decodes every chunk at once and would hand on long lines unjudged.
 */
export interface LineReaderOptions {
  readonly longestLineBytes: number;
  readonly onLine: (line: ServerMessage) => void;
  /** A line is too long: the stream must be closed; nothing further is reported. */
  readonly onTooLong: () => void;
}

const newline = 0x0a;

export function createLineReader(options: LineReaderOptions): (chunk: Buffer) => void {
  const begun = new MessageGatherer();
  let isOver = false;

  function complete(last: Buffer): ServerMessage {
    if (begun.bytes === 0 && last.length < judgedFromBytes) return last.toString();
    if (last.length > 0) begun.add(last);
    return begun.end();
  }

  function stop(): void {
    isOver = true;
    begun.clear();
    options.onTooLong();
  }

  return (chunk) => {
    let start = 0;
    while (!isOver) {
      const end = chunk.indexOf(newline, start);
      const length = (end < 0 ? chunk.length : end) - start;
      if (begun.bytes + length > options.longestLineBytes) return stop();
      if (end < 0) break;
      const line = complete(chunk.subarray(start, end));
      if (line !== '') options.onLine(line);
      start = end + 1;
    }
    if (isOver || start >= chunk.length) return;
    begun.add(start === 0 ? chunk : chunk.subarray(start));
  };
}
