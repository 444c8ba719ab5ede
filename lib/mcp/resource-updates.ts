import type { Bus, News } from '../events/bus.ts';
import { createInTurnByName } from '../in-turn.ts';
import type { SessionSubscriptions, Subscription } from '../sessions/session-subscriptions.ts';
import type { UpstreamAnswer, Upstreams } from '../upstreams/upstreams.ts';
import { createCancellation } from './cancellation.ts';
import { createHeldSubscriptions, type Subscriber } from './held-subscriptions.ts';
import { memberText, replaceMembers } from './raw-json.ts';
import { isSubscribable } from './subscribable-uri.ts';

/**
 * `resources/updated` for those who subscribed (mcp-spec rule 48), over any number of processes: each delivers to the
 * streams that are open in itself what its own connections hear, so it subscribes there too for the sessions whose
 * streams it has. What each session wants stands in the database.
 */
export interface ResourceUpdates {
  /** The server agreed to it. Rejects with `database_unavailable` or `too_many_requests`. */
  added(session: Subscriber, subscription: Subscription): Promise<void>;
  /** Rejects with `database_unavailable`. */
  removed(session: Subscriber, subscription: Subscription): Promise<void>;
  /** A stream of this session was opened here. */
  opened(session: Subscriber): void;
  heard(update: Heard): void;
  close(): void;
}

/** A server said that a resource changed. */
export interface Heard {
  readonly server: string;
  /** The whole notification as it came. */
  readonly text: string;
  /** The one session whose connection said so; undefined: it concerns all that subscribed. */
  readonly onlyTo: string | undefined;
  /** No other process hears this server itself. */
  readonly isForAll: boolean;
}

export interface ResourceUpdatesDependencies {
  readonly subscriptions: SessionSubscriptions;
  readonly upstreams: Pick<Upstreams, 'request'>;
  readonly bus: Bus;
  /** What a group's clients call a server's resource; undefined: the server is not behind the group any more. */
  readonly visibleUri: (group: string, subscription: Subscription) => string | undefined;
  /** On a stream that the session has open in this process; nothing when it has none. */
  readonly send: (sessionId: string, message: string) => void;
  /** Whether some server behind the group can be subscribed to: only then is the database asked. */
  readonly mayHave: (group: string) => boolean;
}

export function createResourceUpdates(dependencies: ResourceUpdatesDependencies): ResourceUpdates {
  const { subscriptions, bus, visibleUri, send } = dependencies;
  const held = createHeldSubscriptions();
  // A session's rows are read and written one after the other, so that no reading undoes what came after it.
  const inTurn = createInTurnByName();
  /** By server that could not be asked: sessions to look at again when its connection is another. */
  const waiting = new Map<string, Set<string>>();

  /** Makes the connections of this process serve what the session's rows say. */
  function sync(session: Subscriber): void {
    inTurn(session.id, async () => {
      const wanted = await subscriptions.read(session.id);
      const serving = held.of(session.id);
      for (const one of serving.filter((each) => !isAmong(wanted, each))) {
        held.drop(session.id, one);
        await tell(session, 'resources/unsubscribe', one).catch(() => {});
      }
      for (const one of wanted.filter((each) => !isAmong(serving, each))) {
        const answer = await tell(session, 'resources/subscribe', one).catch(() => undefined);
        if (answer === undefined) waitFor(one.server, session);
        else if ('result' in answer) held.put(session, one);
      }
    }).catch(() => {});
  }

  function waitFor(server: string, { id }: Subscriber): void {
    waiting.set(server, (waiting.get(server) ?? new Set()).add(id));
  }

  function syncWaiting(server: string): void {
    const ids = waiting.get(server) ?? [];
    waiting.delete(server);
    for (const id of ids) syncAgain(id);
  }

  function syncAgain(id: string): void {
    const session = held.session(id);
    if (session) sync(session);
  }

  function tell({ id }: Subscriber, method: string, { server, uri }: Subscription): Promise<UpstreamAnswer> {
    const { signal } = createCancellation();
    const params = JSON.stringify({ uri });
    return dependencies.upstreams.request({ server, sessionId: id, method, params: () => params, signal });
  }

  function deliver(update: Subscription, onlyTo: string | undefined, text?: string): void {
    for (const { id, group } of held.concernedBy(update)) {
      const uri = visibleUri(group, update);
      if (uri !== undefined && (onlyTo === undefined || onlyTo === id)) send(id, updatedText(uri, text));
    }
  }

  const unsubscribe = bus.subscribe(({ type, name }, origin) => {
    if (type === 'session_closed') held.forget(name);
    else if (type === 'session_changed' && origin === 'remote') syncAgain(name);
    else if (type === 'server') syncWaiting(name);
    else if (type === 'resource_updated') {
      const { update, onlyTo } = fromNews(name);
      deliver(update, onlyTo);
    }
  });
  const ignoreGaps = bus.onGap(() => {
    for (const session of held.sessions()) sync(session);
  });

  return {
    added: (session, subscription) =>
      inTurn(session.id, async () => {
        await subscriptions.add(session.id, subscription);
        held.put(session, subscription);
        bus.publish({ type: 'session_changed', name: session.id });
      }),
    removed: (session, subscription) =>
      inTurn(session.id, async () => {
        await subscriptions.remove(session.id, subscription);
        held.drop(session.id, subscription);
        bus.publish({ type: 'session_changed', name: session.id });
      }),
    opened(session) {
      held.follow(session);
      if (dependencies.mayHave(session.group)) sync(session);
    },
    heard({ server, text, onlyTo, isForAll }) {
      const uri: unknown = JSON.parse(memberText(memberText(text, 'params') ?? '{}', 'uri') ?? 'null');
      if (typeof uri !== 'string') return;
      if (!isForAll) deliver({ server, uri }, onlyTo, text);
      else if (isSubscribable(uri)) bus.publish(toNews({ server, uri }, onlyTo));
    },
    close() {
      unsubscribe();
      ignoreGaps();
    },
  };
}

function isAmong(list: readonly Subscription[], { server, uri }: Subscription): boolean {
  return list.some((one) => one.server === server && one.uri === uri);
}

function toNews({ server, uri }: Subscription, onlyTo = ''): News {
  return { type: 'resource_updated', name: `${server} ${onlyTo} ${uri}` };
}

function fromNews(name: string): { update: Subscription; onlyTo: string | undefined } {
  const [server = '', onlyTo = '', ...rest] = name.split(' ');
  return { update: { server, uri: rest.join(' ') }, onlyTo: onlyTo || undefined };
}

function updatedText(uri: string, text?: string): string {
  const quoted = JSON.stringify(uri);
  if (text === undefined) {
    return `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":${quoted}}}`;
  }
  return replaceMembers(text, 0, { params: (params) => replaceMembers(params, 0, { uri: quoted }) });
}
