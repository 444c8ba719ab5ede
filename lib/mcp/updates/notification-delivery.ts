import type { Bus, BusMessage } from '../../events/bus.ts';
import { memberText } from '../../json/raw-json.ts';
import { isLogWanted } from '../../json-rpc/log-level.ts';
import type { Session, Sessions } from '../../sessions/sessions.ts';
import type { UnsolicitedNotification } from '../../upstreams/sessions/session-clients.ts';
import type { Upstreams } from '../../upstreams/upstreams.ts';
import type { EventStreams } from '../streams/event-streams.ts';
import type { GroupViews } from '../views/group-views.ts';
import { shownServers } from '../views/shown-servers.ts';

/**
 * What servers tell outside of any call, for the clients that listen in this process. Log messages go to the one session
 * that they are of, if it set a level and its group shows the server; that an elicitation is done goes to the one client
 * that was asked, on whichever process it listens.
 */
export interface NotificationDelivery {
  /** False: not a message of these kinds. */
  deliver(server: string, notification: UnsolicitedNotification, sessionId: string | undefined): boolean;
  /** A session opened a stream here. */
  onListener(session: Session): void;
}

interface Dependencies {
  readonly streams: Pick<EventStreams, 'sendToSession' | 'has'>;
  readonly sessions: Pick<Sessions, 'peek'>;
  readonly views: Pick<GroupViews, 'read'>;
  readonly upstreams: Pick<Upstreams, 'setLogLevel'>;
  readonly bus: Bus;
}

/** Ids travel in news, which are short. */
const longestElicitationId = 1_000;

export function createNotificationDelivery(dependencies: Dependencies): NotificationDelivery {
  const { streams, sessions, views, upstreams, bus } = dependencies;
  const listeners = new Set<string>();

  /** What its servers have to say is heard here from now on, so those of this process must say it. */
  function applyLevel(sessionId: string, only?: string): void {
    const session = sessions.peek(sessionId);
    if (session?.logLevel === undefined) return;
    for (const server of serversOf(session)) {
      if (only === undefined || only === server) upstreams.setLogLevel(server, sessionId, session.logLevel);
    }
  }

  function serversOf({ group }: Session): ReadonlySet<string> {
    const view = views.read(group);
    return view === undefined ? new Set() : shownServers(view);
  }

  function listening(): string[] {
    for (const id of listeners) if (!streams.has(id)) listeners.delete(id);
    return [...listeners];
  }

  function deliverLog(server: string, text: string, sessionId: string | undefined): void {
    const session = sessionId === undefined ? undefined : sessions.peek(sessionId);
    if (session?.logLevel === undefined || !isLogWanted(text, session.logLevel)) return;
    if (serversOf(session).has(server)) streams.sendToSession(session.id, text);
  }

  bus.subscribe(({ type, name }: BusMessage) => {
    if (type === 'session_closed') listeners.delete(name);
    else if (type === 'session_changed' && listeners.has(name)) applyLevel(name);
    // It may have been installed anew, and know nothing of levels.
    else if (type === 'tools') for (const id of listening()) applyLevel(id, name);
    else if (type === 'elicitation_complete') deliverCompletion(name);
  });

  function deliverCompletion(name: string): void {
    const end = name.indexOf(' ');
    const params = `{"elicitationId":${JSON.stringify(name.slice(end + 1))}}`;
    const text = `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":${params}}`;
    streams.sendToSession(name.slice(0, end), text);
  }

  return {
    deliver(server, { method, text }, sessionId) {
      if (method === 'notifications/message') deliverLog(server, text, sessionId);
      else if (method === 'notifications/elicitation/complete') publishCompletion(text, sessionId, bus);
      else return false;
      return true;
    },
    onListener({ id }) {
      listeners.add(id);
      applyLevel(id);
    },
  };
}

function publishCompletion(text: string, sessionId: string | undefined, bus: Bus): void {
  const id = memberText(memberText(text, 'params') ?? '', 'elicitationId');
  if (sessionId === undefined || id === undefined || id.length > longestElicitationId) return;
  bus.publish({ type: 'elicitation_complete', name: `${sessionId} ${JSON.parse(id)}` });
}
