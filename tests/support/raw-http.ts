/**
 * HTTP over a bare socket: bytes go out exactly as given and the answer is taken apart by hand, because HTTP
 * clients repair or refuse many of the requests that tests want to send.
 */
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { readAnswer } from './raw-http-answer.ts';

export interface RawAnswer {
  /** Undefined when the connection ended without a complete status line and header. */
  readonly status: number | undefined;
  /** Header block as it came, without the status line. */
  readonly head: string;
  readonly body: string;
  readonly milliseconds: number;
  /** The other side ended the connection before our time was over. */
  readonly isClosed: boolean;
  /** The answer is complete by its own length; false for one that was still streaming. */
  readonly isComplete: boolean;
}

export interface SendOptions {
  readonly limitMs?: number;
  /** Hang up after so many milliseconds, answer or not. */
  readonly closeAfterMs?: number | undefined;
  /** Wait for the other side to close even when the answer is complete. */
  readonly untilClosed?: boolean;
}

/** Sends `bytes` on a connection of its own and resolves with what came back; never rejects for the network. */
export function sendRaw(port: number, bytes: Buffer, options: SendOptions = {}): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const chunks: Buffer[] = [];
    const socket: Socket = connect(port, '127.0.0.1');
    const limit = setTimeout(finish, options.closeAfterMs ?? options.limitMs ?? 15_000, false);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (!options.untilClosed && readAnswer(Buffer.concat(chunks), false).isComplete) finish(false);
    });
    // A server may answer and reset while we still send: what was read before the error counts.
    socket.on('error', () => {});
    socket.on('close', () => finish(true));
    socket.write(bytes);

    function finish(isClosed: boolean) {
      clearTimeout(limit);
      socket.removeAllListeners('close').destroy();
      const answer = readAnswer(Buffer.concat(chunks), isClosed);
      resolve({ ...answer, isClosed, milliseconds: performance.now() - startedAt });
    }
  });
}
