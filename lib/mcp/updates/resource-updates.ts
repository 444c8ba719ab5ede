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
import { isSubscribable } from './subscribable-uri.ts';
import { fromBusMessage, toBusMessage, updatedText } from './update-message.ts';

/**
 * `resources/updated` for those who subscribed (mcp-spec rule 48), over any number of processes: each delivers to the
 * streams that are open in itself what its own connections hear, so it subscribes there too for the sessions whose
 * streams it has. What each session wants stands in the database.
 */
export interface ResourceUpdates {
  /** The server agreed to it. Rejects as `SessionSubscriptions.add` does, and the server has taken it back then. */
  added(session: Subscriber, subscription: Subscription): Promise<void>;
  /** Rejects with `database_unavailable`. */
  removed(session: Subscriber, subscription: Subscription): Promise<void>;
  /** A stream of this session was opened here. */
  opened(session: Subscriber): void;
  receive(update: ReceivedUpdate): void;
  /** Those that it looks after. */
  sessions(): readonly string[];
  close(): void;
}

/** A server said that a resource changed. */
export interface ReceivedUpdate {
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
  readonly upstreams: Pick<Upstreams, 'request' | 'endSession'>;
  readonly bus: Bus;
  /** What a group's clients call a server's resource; undefined: the server is not behind the group any more. */
  readonly visibleUri: (group: string, subscription: Subscription) => string | undefined;
  /** On a stream that the session has open in this process; nothing when it has none. */
  readonly send: (sessionId: string, message: string) => void;
  /** Whether some server behind the group can be subscribed to: only then is the database asked. */
  readonly mayHave: (group: string) => boolean;
}

export function createResourceUpdates(dependencies: ResourceUpdatesDependencies): ResourceUpdates {
  const { subscriptions, upstreams, bus, visibleUri, send } = dependencies;
  const held = createActiveSubscriptions();
  // A session's rows are read and written one after the other, so that no reading undoes what came after it.
  const mutex = createKeyedMutex();
  const read = createBatchLoader(subscriptions.read);
  /** Sessions whose next turn reads their rows. */
  const queued = new Set<string>();
  /** By server that could not be asked: sessions to look at again when its connection is another. */
  const waiting = new Map<string, Set<string>>();

  /** Makes the connections of this process serve what the session's rows say. */
  function sync(session: Subscriber): void {
    if (queued.has(session.id)) return;
    queued.add(session.id);
    mutex(session.id, async () => {
      queued.delete(session.id);
      const wanted = (await read(session.id)) ?? [];
      const serving = held.of(session.id);
      for (const one of serving.filter((each) => !isAmong(wanted, each))) await leave(session, one);
      for (const one of wanted.filter((each) => !isAmong(serving, each))) await serve(session, one);
    }).catch(() => {});
  }

  // The session may end at any moment: nothing must be begun for it then, and nothing be left of it.
  async function leave(session: Subscriber, subscription: Subscription): Promise<void> {
    if (held.session(session.id) === undefined) return;
    held.drop(session.id, subscription);
    await tell(session, 'resources/unsubscribe', subscription).catch(() => {});
  }

  async function serve(session: Subscriber, subscription: Subscription): Promise<void> {
    if (held.session(session.id) === undefined) return;
    const answer = await tell(session, 'resources/subscribe', subscription).catch(() => undefined);
    if (answer === undefined) waitFor(subscription.server, session);
    else if ('result' in answer && !held.put(session.id, subscription)) upstreams.endSession(session.id);
  }

  function waitFor(server: string, { id }: Subscriber): void {
    if (held.session(id)) waiting.set(server, (waiting.get(server) ?? new Set()).add(id));
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

  function forget(id: string): void {
    held.forget(id);
    for (const ids of waiting.values()) ids.delete(id);
  }

  async function store(session: Subscriber, subscription: Subscription): Promise<void> {
    const isServed = isAmong(held.of(session.id), subscription);
    held.follow(session);
    try {
      await subscriptions.add(session.id, subscription);
    } catch (error) {
      // The end of the session clears everything away. In any other case the server is told to take it back.
      if (toFailure(error).code === 'session_not_found') {
        bus.publish({ type: 'session_closed', name: session.id });
      } else if (!isServed) {
        tell(session, 'resources/unsubscribe', subscription).catch(() => {});
      }
      throw error;
    }
    held.put(session.id, subscription);
    bus.publish({ type: 'session_changed', name: session.id });
  }

  function tell({ id }: Subscriber, method: string, { server, uri }: Subscription): Promise<RawAnswer> {
    const { signal } = createCancellation();
    const params = JSON.stringify({ uri });
    return upstreams.request({ server, sessionId: id, method, params: () => params, signal });
  }

  function deliver(update: Subscription, onlyTo: string | undefined, text?: string): void {
    for (const { id, group } of held.concernedBy(update)) {
      const uri = visibleUri(group, update);
      if (uri !== undefined && (onlyTo === undefined || onlyTo === id)) send(id, updatedText(uri, text));
    }
  }

  const unsubscribe = bus.subscribe(({ type, name }, origin) => {
    if (type === 'session_closed') forget(name);
    else if (type === 'session_changed' && origin === 'remote') syncAgain(name);
    else if (type === 'server') syncWaiting(name);
    else if (type === 'resource_updated') {
      const { update, onlyTo } = fromBusMessage(name);
      deliver(update, onlyTo);
    }
  });
  const ignoreGaps = bus.onGap(() => {
    for (const session of held.sessions()) if (mayWant(session)) sync(session);
  });

  /** Only then is the database asked. */
  function mayWant({ id, group }: Subscriber): boolean {
    return dependencies.mayHave(group) || held.of(id).length > 0;
  }

  return {
    added: (session, subscription) => mutex(session.id, () => store(session, subscription)),
    removed: (session, subscription) =>
      mutex(session.id, async () => {
        await subscriptions.remove(session.id, subscription);
        held.drop(session.id, subscription);
        bus.publish({ type: 'session_changed', name: session.id });
      }),
    opened(session) {
      held.follow(session);
      if (mayWant(session)) sync(session);
    },
    receive({ server, text, onlyTo, isForAll }) {
      const uri: unknown = JSON.parse(memberText(memberText(text, 'params') ?? '{}', 'uri') ?? 'null');
      if (typeof uri !== 'string') return;
      if (!isForAll) deliver({ server, uri }, onlyTo, text);
      else if (isSubscribable(uri)) bus.publish(toBusMessage({ update: { server, uri }, onlyTo }));
    },
    sessions: () => Array.from(held.sessions(), ({ id }) => id),
    close() {
      unsubscribe();
      ignoreGaps();
    },
  };
}

function isAmong(list: readonly Subscription[], { server, uri }: Subscription): boolean {
  return list.some((one) => one.server === server && one.uri === uri);
}
