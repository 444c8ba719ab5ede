import type { Bus, BusMessage } from '../../../lib/events/bus.ts';
import type { Groups } from '../../../lib/groups/groups.ts';
import { createBoundedStream } from '../../../lib/streams/bounded-stream.ts';
import { commentLine, keepAliveLine, messageEvent } from '../../../lib/streams/event-stream-text.ts';
import type { ChangeEvent } from './answers.ts';

/**
 * Bus messages for the dashboard as server-sent events (`GET /api/events`). Each names what changed; the page fetches it.
 * Messages about agents' sessions are left out: their ids are the sessions' credentials.
 */
const shownTypes: ReadonlySet<BusMessage['type']> = new Set([
  'group',
  'tools',
  'server',
  'provision',
  'image_offer',
]);

/** @param calls Counts of calls by server; a changed count is an event of its server. */
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
  const stopWatching = watchCounts(calls, (name) =>
    stream.write(messageEvent(JSON.stringify({ type: 'server', name }))),
  );
  const onClose = () => {
    unsubscribe();
    stopWatching();
  };
  const stream = createBoundedStream({ onClose, signal, keepAlive: keepAliveLine });
  stream.write(commentLine('open'));
  return stream.body;
}

function toEvent(busMessage: BusMessage, groups: Pick<Groups, 'read'>): ChangeEvent {
  if (busMessage.type === 'image_offer') return { type: 'server', name: busMessage.name };
  const etag = busMessage.type === 'group' ? groups.read(busMessage.name)?.group?.etag : undefined;
  return { type: busMessage.type as ChangeEvent['type'], name: busMessage.name, etag };
}

/**
 * Polls counts and names those that changed, so that the page shows calls. Polls only while a page is open, so that
 * calls themselves cost nothing more.
 */
export interface CountWatch {
  /** A count that only grows, by name. */
  readonly read: () => ReadonlyMap<string, number>;
  readonly everyMs?: number;
}

/** @returns a function that ends the polling */
export function watchCounts(
  { read, everyMs = 1_000 }: CountWatch,
  onChanged: (name: string) => void,
): () => void {
  let before = read();
  const timer = setInterval(() => {
    const now = read();
    for (const [name, count] of now) if (count !== (before.get(name) ?? 0)) onChanged(name);
    before = now;
  }, everyMs);
  return () => clearInterval(timer);
}
