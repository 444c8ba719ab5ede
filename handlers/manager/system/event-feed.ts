import type { Bus, BusMessage } from '../../../lib/events/bus.ts';
import type { Groups } from '../../../lib/groups/groups.ts';
import { createBoundedStream } from '../../../lib/streams/bounded-stream.ts';
import { commentLine, keepAliveMs, messageEvent } from '../../../lib/streams/event-stream-text.ts';
import { type CountWatch, watchCounts } from './watch-counts.ts';

/**
 * News for the dashboard as server-sent events (`GET /api/events`). Each names what changed; the page fetches it.
 * Agents' sessions are nobody's business there, and their ids are what proves a session to be one's own.
 */
const shownTypes: ReadonlySet<BusMessage['type']> = new Set([
  'group',
  'tools',
  'server',
  'provision',
  'image_offer',
]);

/** @param calls Relayed ones by server; a server whose count changed is named like any other change. */
export function openEventFeed(
  bus: Pick<Bus, 'subscribe'>,
  groups: Pick<Groups, 'read'>,
  signal: AbortSignal,
  calls: CountWatch = { read: () => new Map() },
): ReadableStream<Uint8Array> {
  const unsubscribe = bus.subscribe((busMessage) => {
    if (shownTypes.has(busMessage.type))
      stream.write(messageEvent(JSON.stringify(toEvent(busMessage, groups))));
  });
  const keepAlive = setInterval(() => stream.write(commentLine('keep-alive')), keepAliveMs);
  const unwatch = watchCounts(calls, (name) =>
    stream.write(messageEvent(JSON.stringify({ type: 'server', name }))),
  );
  const stream = createBoundedStream(() => {
    unsubscribe();
    unwatch();
    clearInterval(keepAlive);
  });
  if (signal.aborted) stream.close();
  else signal.addEventListener('abort', stream.close, { once: true });
  stream.write(commentLine('open'));
  return stream.body;
}

function toEvent(busMessage: BusMessage, groups: Pick<Groups, 'read'>): Record<string, unknown> {
  if (busMessage.type === 'image_offer') return { type: 'server', name: busMessage.name };
  const etag = busMessage.type === 'group' ? groups.read(busMessage.name)?.group?.etag : undefined;
  return { type: busMessage.type, name: busMessage.name, etag };
}
