import type { IRequestStrict } from 'itty-router';
import type { ManagerContext } from '../../lib/context.ts';
import { openEventFeed } from '../../lib/events/event-feed.ts';
import { eventStreamResponse } from '../../lib/http/responses.ts';

/** `GET /api/events`: server-sent events that name what changed. */
export function streamEvents(request: IRequestStrict, { bus, groups }: ManagerContext): Response {
  return eventStreamResponse(openEventFeed(bus, groups, request.signal));
}
