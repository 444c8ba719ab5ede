import { judgedFromBytes } from './answer-limits.ts';
import { JudgedText } from './node-judged-text.ts';
import type { ServerMessage } from './server-message.ts';

/**
 * One message from the pieces in which it arrives. A short one is put together at its end, once; a long one is judged
 * and decoded as it comes, since looking at 15 MB of it in one go would stop everybody else for seconds.
 */
export class MessageGatherer {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #judged: JudgedText | undefined;

  /** What was added since the last message was taken. */
  get bytes(): number {
    return this.#bytes;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#judged !== undefined) this.#judged.add(piece);
    else this.#keep(piece);
  }

  #keep(piece: Buffer): void {
    this.#pieces.push(piece);
    if (this.#bytes < judgedFromBytes) return;
    this.#judged = new JudgedText();
    for (const early of this.#pieces) this.#judged.add(early);
    this.#pieces = [];
  }

  /** Ends the message; '' when there is none. */
  take(): ServerMessage {
    const message = this.#judged?.take() ?? this.#join();
    this.clear();
    return message;
  }

  clear(): void {
    this.#bytes = 0;
    this.#judged = undefined;
    if (this.#pieces.length > 0) this.#pieces = [];
  }

  #join(): string {
    const [first] = this.#pieces;
    if (first === undefined) return '';
    return this.#pieces.length === 1 ? first.toString() : Buffer.concat(this.#pieces).toString();
  }
}
