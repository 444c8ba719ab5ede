import { createBatchLoader } from '../../async/batch.ts';
import { createCancellation } from '../../async/cancellation.ts';
import { createKeyedMutex } from '../../async/mutex.ts';
import type { Bus } from '../../events/bus.ts';
import { toFailure } from '../../failure.ts';
import { memberText } from '../../json/raw-json.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { SessionSubscriptions, Subscription } from '../../sessions/session-subscriptions.ts';
import type { Upstreams } from '../../upstreams/upstreams.ts';
import { createActiveSubscriptions, type Subscriber } from './active-subscriptions.ts';
import { fromBusMessage, isSubscribable, toBusMessage, updatedText } from './update-message.ts';

/**
 * `resources/updated` for subscribed sessions (docs/protocol.md, rule 48), over any number of processes: each process
 * delivers the updates of its own connections to the streams that are open in it, so it subscribes on its connections
 * for the sessions whose streams it has. The subscriptions of each session are rows in the database.
 */
export interface ResourceUpdates {
  /** The server agreed. Rejects as `SessionSubscriptions.add` does, after unsubscribing from the server. */
  added(session: Subscriber, subscription: Subscription): Promise<void>;
  /** Rejects with `database_unavailable`. */
  removed(session: Subscriber, subscription: Subscription): Promise<void>;
  /** A stream of this session was opened here. */
  opened(session: Subscriber): void;
  receive(update: ReceivedUpdate): void;
  /** The sessions whose subscriptions are served here. */
  sessions(): readonly string[];
  close(): void;
}

export interface ReceivedUpdate {
  readonly server: string;
  /** The whole, unchanged notification. */
  readonly text: string;
  /** The session whose own connection sent it; undefined: all subscribers. */
  readonly onlyTo: string | undefined;
  /** Other processes have sessions that are subscribed over connections of this one. */
  readonly isForAll: boolean;
}

export interface ResourceUpdatesDependencies {
  readonly subscriptions: SessionSubscriptions;
  readonly upstreams: Pick<Upstreams, 'request' | 'endSession'>;
  readonly bus: Pick<Bus, 'subscribe' | 'publish' | 'onGap'>;
  /** The URI of a server's resource in a group; undefined: the server is no longer behind the group. */
  readonly visibleUri: (group: string, subscription: Subscription) => string | undefined;
  /** Sends on an open stream of the session in this process, if there is one. */
  readonly send: (sessionId: string, message: string) => void;
  /** Whether a server behind the group takes subscriptions: only then is the database read. */
  readonly mayHave: (group: string) => boolean;
}

export function createResourceUpdates(dependencies: ResourceUpdatesDependencies): ResourceUpdates {
  const { subscriptions, upstreams, bus, visibleUri, send } = dependencies;
  const active = createActiveSubscriptions();
  // A session's rows are read and written sequentially, so that no read applies rows that changed since.
  const mutex = createKeyedMutex();
  const read = createBatchLoader(subscriptions.read);
  /** Sessions whose rows will be read. */
  const queued = new Set<string>();
  /** By server that could not be asked: the sessions to reconcile again when its connection changes. */
  const waiting = new Map<string, Set<string>>();

  /** Subscribes and unsubscribes on the connections of this process until they match the session's rows. */
  function reconcile(session: Subscriber): void {
    if (queued.has(session.id)) return;
    queued.add(session.id);
    mutex(session.id, async () => {
      queued.delete(session.id);
      const wanted = (await read(session.id)) ?? [];
      const serving = active.of(session.id);
      for (const one of serving.filter((each) => !isAmong(wanted, each))) await unsubscribeFrom(session, one);
      for (const one of wanted.filter((each) => !isAmong(serving, each))) await subscribeTo(session, one);
    }).catch(() => {});
  }

  // The session may end at any moment: then no work is begun for it, and no state of it stays.
  async function unsubscribeFrom(session: Subscriber, subscription: Subscription): Promise<void> {
    if (active.session(session.id) === undefined) return;
    active.delete(session.id, subscription);
    await request(session, 'resources/unsubscribe', subscription).catch(() => {});
  }

  async function subscribeTo(session: Subscriber, subscription: Subscription): Promise<void> {
    if (active.session(session.id) === undefined) return;
    const answer = await request(session, 'resources/subscribe', subscription).catch(() => undefined);
    if (answer === undefined) waitFor(subscription.server, session);
    else if ('result' in answer && !active.add(session.id, subscription)) upstreams.endSession(session.id);
  }

  function waitFor(server: string, { id }: Subscriber): void {
    if (active.session(id)) waiting.set(server, (waiting.get(server) ?? new Set()).add(id));
  }

  function reconcileWaiting(server: string): void {
    const ids = waiting.get(server) ?? [];
    waiting.delete(server);
    for (const id of ids) reconcileAgain(id);
  }

  function reconcileAgain(id: string): void {
    const session = active.session(id);
    if (session) reconcile(session);
  }

  function deleteSession(id: string): void {
    active.deleteSession(id);
    for (const ids of waiting.values()) ids.delete(id);
  }

  async function store(session: Subscriber, subscription: Subscription): Promise<void> {
    const isServed = isAmong(active.of(session.id), subscription);
    active.addSession(session);
    try {
      await subscriptions.add(session.id, subscription);
    } catch (error) {
      // The end of the session removes all of this. In any other case the subscription is undone at the server.
      if (toFailure(error).code === 'session_not_found') {
        bus.publish({ type: 'session_closed', name: session.id });
      } else if (!isServed) {
        request(session, 'resources/unsubscribe', subscription).catch(() => {});
      }
      throw error;
    }
    active.add(session.id, subscription);
    bus.publish({ type: 'session_changed', name: session.id });
  }

  function request({ id }: Subscriber, method: string, { server, uri }: Subscription): Promise<RawAnswer> {
    const { signal } = createCancellation();
    const params = JSON.stringify({ uri });
    return upstreams.request({ server, sessionId: id, method, params: () => params, signal });
  }

  function deliver(update: Subscription, onlyTo: string | undefined, text?: string): void {
    for (const { id, group } of active.subscribersTo(update)) {
      const uri = visibleUri(group, update);
      if (uri !== undefined && (onlyTo === undefined || onlyTo === id)) send(id, updatedText(uri, text));
    }
  }

  const unsubscribe = bus.subscribe(({ type, name }, origin) => {
    if (type === 'session_closed') deleteSession(name);
    else if (type === 'session_changed' && origin === 'remote') reconcileAgain(name);
    else if (type === 'server') reconcileWaiting(name);
    else if (type === 'resource_updated') {
      const { update, onlyTo } = fromBusMessage(name);
      deliver(update, onlyTo);
    }
  });
  const unsubscribeFromGaps = bus.onGap(() => {
    for (const session of active.sessions()) if (mayHaveRows(session)) reconcile(session);
  });

  /** Only then is the database read. */
  function mayHaveRows({ id, group }: Subscriber): boolean {
    return dependencies.mayHave(group) || active.of(id).length > 0;
  }

  return {
    added: (session, subscription) => mutex(session.id, () => store(session, subscription)),
    removed: (session, subscription) =>
      mutex(session.id, async () => {
        await subscriptions.remove(session.id, subscription);
        active.delete(session.id, subscription);
        bus.publish({ type: 'session_changed', name: session.id });
      }),
    opened(session) {
      active.addSession(session);
      if (mayHaveRows(session)) reconcile(session);
    },
    receive({ server, text, onlyTo, isForAll }) {
      const uri: unknown = JSON.parse(memberText(memberText(text, 'params') ?? '{}', 'uri') ?? 'null');
      if (typeof uri !== 'string') return;
      if (!isForAll) deliver({ server, uri }, onlyTo, text);
      else if (isSubscribable(uri)) bus.publish(toBusMessage({ update: { server, uri }, onlyTo }));
    },
    sessions: () => Array.from(active.sessions(), ({ id }) => id),
    close() {
      unsubscribe();
      unsubscribeFromGaps();
    },
  };
}

function isAmong(list: readonly Subscription[], { server, uri }: Subscription): boolean {
  return list.some((one) => one.server === server && one.uri === uri);
}
