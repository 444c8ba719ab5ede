import { createBoundedStream, maxQueuedBytes } from '../../../lib/streams/bounded-stream.ts';
import { commentLine, keepAliveLine, messageEvent } from '../../../lib/streams/event-stream-text.ts';
import type { ManagerContext } from '../context.ts';

/**
 * What a server wrote besides its protocol. A container's lines are with the engine, which knows them over our own
 * restarts; everybody else's, and those of a container that is no more, are with the connection, and so is whatever
 * comes: it misses nothing when a container is restarted. Only where another process has the connection is the engine
 * followed.
 */
export interface ServerLogs {
  tail(count: number): Promise<readonly string[]>;
  /** Each further line, until the returned function is called. */
  follow(onLine: (line: string) => void): () => void;
}

/** A container that is restarted ends its log; what follows is another one. */
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
      const kept = await containers.logs(server, count).catch(() => []);
      // None of a container that was removed because it did not start.
      return kept.length > 0 ? kept : await ofConnection(count);
    },
    follow(onLine) {
      if (upstreams.status(server)) return upstreams.followLogs(server, onLine);
      const leaving = new AbortController();
      let again: ReturnType<typeof setTimeout>;
      const goOn = async () => {
        await containers.followLogs(server, onLine, leaving.signal).catch(() => {});
        if (!leaving.signal.aborted) again = setTimeout(goOn, followAgainMs);
      };
      void goOn();
      return () => {
        leaving.abort();
        clearTimeout(again);
      };
    },
  };
}

/**
 * The last lines, then each further one, as server-sent events of `{"line": …}`. Of the last lines only the newest that
 * leave room in the stream for what comes: a reader cannot keep up with what was there before it came.
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
