import type { IRequestStrict } from 'itty-router';
import { eventStreamResponse } from '../../../lib/http/responses.ts';
import type { ManagerContext } from '../context.ts';
import { openEventFeed } from './event-feed.ts';

/** `GET /api/events`: server-sent events that name what changed. */
export function getEvents(
  request: IRequestStrict,
  context: Pick<ManagerContext, 'bus' | 'groups' | 'catalog' | 'serverCalls'>,
): Response {
  const { bus, groups, catalog, serverCalls } = context;
  const read = () => {
    void serverCalls.look();
    return new Map(catalog.servers().map(({ name }): [string, number] => [name, serverCalls.of(name).total]));
  };
  return eventStreamResponse(openEventFeed(bus, groups, request.signal, { read }));
}
