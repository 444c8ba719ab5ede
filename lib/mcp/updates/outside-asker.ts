import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { ClientRequests } from '../../sessions/client-requests/client-requests.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { notAskable, type OutsideQuestion } from '../../upstreams/sessions/session-clients.ts';
import type { EventStreams } from '../streams/event-streams.ts';
import { type GroupViews, shownServers } from '../views/group-views.ts';

interface Dependencies {
  readonly requests: Pick<ClientRequests, 'askOutside'>;
  readonly sessions: Pick<Sessions, 'read'>;
  readonly views: Pick<GroupViews, 'read'>;
  readonly streams: Pick<EventStreams, 'sendToListener'>;
}

/**
 * Asks the client of a session on behalf of a server outside of any call. A server that the session's group no longer
 * shows is refused, even while its connection still exists.
 */
export function createOutsideAsker({ requests, sessions, views, streams }: Dependencies) {
  return async ({ server, sessionId, ...question }: OutsideQuestion): Promise<RawAnswer> => {
    const session = await sessions.read(sessionId).catch(() => undefined);
    const view = session && views.read(session.group);
    if (session === undefined || view === undefined || !shownServers(view).has(server)) return notAskable;
    const send = (message: string) => streams.sendToListener(sessionId, message);
    return await requests.askOutside({ session, send }, question);
  };
}
