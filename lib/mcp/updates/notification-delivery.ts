import type { Bus, BusMessage } from '../../events/bus.ts';
import { memberText } from '../../json/raw-json.ts';
import { isLogWanted } from '../../json-rpc/log-level.ts';
import { notificationText } from '../../json-rpc/write.ts';
import type { Session, Sessions } from '../../sessions/sessions.ts';
import type { UnsolicitedNotification } from '../../upstreams/sessions/session-clients.ts';
import type { Upstreams } from '../../upstreams/upstreams.ts';
import type { EventStreams } from '../streams/event-streams.ts';
import { type GroupViews, shownServers } from '../views/group-views.ts';

/**
 * Delivers servers' notifications from outside of calls to the clients that listen in this process. A log message goes to
 * its session, if the session set a level and its group shows the server; the completion of an elicitation goes to the
 * client that was asked, in any process.
 */
export interface NotificationDelivery {
  /** False: a notification of another kind. */
  deliver(server: string, notification: UnsolicitedNotification, sessionId: string | undefined): boolean;
  /** A session opened a stream here. */
  onListener(session: Session): void;
}

interface Dependencies {
  readonly streams: Pick<EventStreams, 'sendToSession' | 'has'>;
  readonly sessions: Pick<Sessions, 'peek'>;
  readonly views: Pick<GroupViews, 'read'>;
  readonly upstreams: Pick<Upstreams, 'setLogLevel'>;
  readonly bus: Pick<Bus, 'subscribe' | 'publish'>;
}

/** Ids are part of bus messages, which are short. */
const longestElicitationId = 1_000;

export function createNotificationDelivery(dependencies: Dependencies): NotificationDelivery {
  const { streams, sessions, views, upstreams, bus } = dependencies;
  const listeners = new Set<string>();

  /**
   * The session's log messages can be delivered here from now on, so this process sets its level on its connections.
   */
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
    // The server may have been installed anew, without a level.
    else if (type === 'tools') for (const id of listening()) applyLevel(id, name);
    else if (type === 'elicitation_complete') deliverCompletion(name);
  });

  function deliverCompletion(name: string): void {
    const end = name.indexOf(' ');
    const params = `{"elicitationId":${JSON.stringify(name.slice(end + 1))}}`;
    const text = notificationText('notifications/elicitation/complete', params);
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

function publishCompletion(text: string, sessionId: string | undefined, bus: Pick<Bus, 'publish'>): void {
  const id = memberText(memberText(text, 'params') ?? '', 'elicitationId');
  if (sessionId === undefined || id === undefined || id.length > longestElicitationId) return;
  bus.publish({ type: 'elicitation_complete', name: `${sessionId} ${JSON.parse(id)}` });
}
