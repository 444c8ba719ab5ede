import type { Groups } from '../groups/groups.ts';
import { createBoundedStream } from '../http/bounded-stream.ts';
import { commentLine, keepAliveMs, messageEvent } from '../http/event-stream-text.ts';
import type { Bus, News } from './bus.ts';

/**
 * News for the dashboard as server-sent events (`GET /api/events`). Each names what changed; the page fetches it.
 * The end of an agent's session is nobody's business there.
 */
export function openEventFeed(
  bus: Bus,
  groups: Pick<Groups, 'read'>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const unsubscribe = bus.subscribe((news) => {
    if (news.type !== 'session_closed') stream.write(messageEvent(JSON.stringify(toEvent(news, groups))));
  });
  const keepAlive = setInterval(() => stream.write(commentLine('keep-alive')), keepAliveMs);
  const stream = createBoundedStream(() => {
    unsubscribe();
    clearInterval(keepAlive);
  });
  if (signal.aborted) stream.close();
  else signal.addEventListener('abort', stream.close, { once: true });
  stream.write(commentLine('open'));
  return stream.body;
}

function toEvent(news: News, groups: Pick<Groups, 'read'>): Record<string, unknown> {
  const etag = news.type === 'group' ? groups.read(news.name)?.group?.etag : undefined;
  return { type: news.type, name: news.name, etag };
}
