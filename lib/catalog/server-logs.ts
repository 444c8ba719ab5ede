import { createBoundedStream } from '../http/bounded-stream.ts';
import { commentLine, messageEvent } from '../http/event-stream-text.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';

/** The last lines of a server's stderr, then each further one, as server-sent events of `{"line": …}`. */
const keepAliveMs = 15_000;

export function followServerLogs(
  upstreams: Pick<Upstreams, 'logs' | 'followLogs'>,
  server: string,
  tail: number,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const send = (line: string) => stream.write(messageEvent(JSON.stringify({ line })));
  const keepAlive = setInterval(() => stream.write(commentLine('keep-alive')), keepAliveMs);
  const unfollow = upstreams.followLogs(server, (line) => void send(line));
  const stream = createBoundedStream(() => {
    unfollow();
    clearInterval(keepAlive);
  });
  signal.addEventListener('abort', stream.close, { once: true });
  stream.write(commentLine('open'));
  for (const line of upstreams.logs(server, tail)) send(line);
  return stream.body;
}
