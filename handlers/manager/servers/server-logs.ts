import { createBoundedStream, maxQueuedBytes } from '../../../lib/streams/bounded-stream.ts';
import { commentLine, keepAliveLine, messageEvent } from '../../../lib/streams/event-stream-text.ts';
import type { ManagerContext } from '../context.ts';

/**
 * A server's output besides its protocol. The engine stores the lines of a container, also over our own restarts; the
 * connection stores those of any other server and of a removed container, and all further lines, without a gap when a
 * container restarts. The engine is followed only while another process has the connection.
 */
export interface ServerLogs {
  tail(count: number): Promise<readonly string[]>;
  /** Calls back for each further line, until the returned function is called. */
  follow(onLine: (line: string) => void): () => void;
}

/** Last lines in an answer that asks for no number of them, and at most. */
export const usualLines = 200;
export const mostLines = 1_000;

/** The restart of a container ends its log; another one begins. */
const followAgainMs = 1_000;

export function logsOf(
  server: string,
  { catalog, upstreams, containers }: Pick<ManagerContext, 'catalog' | 'upstreams' | 'containers'>,
): ServerLogs {
  const ofConnection = async (count: number) => upstreams.logs(server, count);
  const isContainer = catalog.server(server)?.config.image !== undefined;
  if (!containers || !isContainer) {
    return { tail: ofConnection, follow: (onLine) => upstreams.followLogs(server, onLine) };
  }
  return {
    async tail(count) {
      const lines = await containers.logs(server, count).catch(() => []);
      // A container that did not start is removed, and its lines with it.
      return lines.length > 0 ? lines : await ofConnection(count);
    },
    follow(onLine) {
      if (upstreams.status(server)) return upstreams.followLogs(server, onLine);
      const leaving = new AbortController();
      let again: ReturnType<typeof setTimeout>;
      const followAgain = async () => {
        await containers.followLogs(server, onLine, leaving.signal).catch(() => {});
        if (!leaving.signal.aborted) again = setTimeout(followAgain, followAgainMs);
      };
      void followAgain();
      return () => {
        leaving.abort();
        clearTimeout(again);
      };
    },
  };
}

/**
 * The last lines, then each further one, as server-sent events of `{"line": …}`. Only the newest of the last lines that
 * fill half of the stream's queue are sent, so that there is room for further ones.
 */
export async function followServerLogs(
  logs: ServerLogs,
  tail: number,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const before = newestWithin(maxQueuedBytes / 2, (await logs.tail(tail)).map(lineEvent));
  let unfollow = () => {};
  const stream = createBoundedStream({ onClose: () => unfollow(), signal, keepAlive: keepAliveLine });
  stream.write(commentLine('open'));
  for (const event of before) stream.write(event);
  if (!signal.aborted) unfollow = logs.follow((line) => void stream.write(lineEvent(line)));
  return stream.body;
}

function lineEvent(line: string): Uint8Array {
  return messageEvent(JSON.stringify({ line }));
}

function newestWithin(mostBytes: number, events: readonly Uint8Array[]): readonly Uint8Array[] {
  let bytes = 0;
  const tooOld = events.findLastIndex((event) => {
    bytes += event.byteLength;
    return bytes > mostBytes;
  });
  return events.slice(tooOld + 1);
}
