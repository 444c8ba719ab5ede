import { judgedFromBytes } from './answer-limits.ts';
import { JudgedText } from './node-judged-text.ts';
import type { ServerMessage } from './server-message.ts';

/**
 * One message from the pieces in which it arrives. A short one is put together at its end, once; a long one is judged
 * and decoded as it comes, since looking at 15 MB of it in one go would stop everybody else for seconds.
 */
export class MessageGatherer {
  readonly #pieces: Buffer[] = [];
  #bytes = 0;
  #judged: JudgedText | undefined;

  /** What was added since the last message was taken. */
  get bytes(): number {
    return this.#bytes;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#judged !== undefined) {
      this.#judged.add(piece);
      return;
    }
    this.#pieces.push(piece);
    if (this.#bytes < judgedFromBytes) return;
    this.#judged = new JudgedText();
    for (const early of this.#pieces) this.#judged.add(early);
    this.#pieces.length = 0;
  }

  /** Ends the message; '' when there is none. */
  take(): ServerMessage {
    const message = this.#judged?.take() ?? joinText(this.#pieces);
    this.clear();
    return message;
  }

  clear(): void {
    this.#bytes = 0;
    this.#judged = undefined;
    this.#pieces.length = 0;
  }
}

/** UTF-8, of which characters may lie across the borders of pieces. */
export function joinText(pieces: readonly Buffer[]): string {
  const [first] = pieces;
  if (first === undefined) return '';
  return pieces.length === 1 ? first.toString() : Buffer.concat(pieces).toString();
}
