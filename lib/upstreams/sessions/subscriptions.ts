import { memberText } from '../../json/raw-json.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { UpstreamRequest } from '../upstreams.ts';

/**
 * The resources that each session of a server is subscribed to (docs/protocol.md, rule 48). Subscriptions outlive
 * connections: a new connection subscribes again. Over a shared connection the server receives only the last session's
 * unsubscribe.
 */
export interface Subscriptions {
  /** @param sessionId The one session of a connection; absent: the connection serves all. */
  of(sessionId?: string): ConnectionSubscriptions;
  /** @returns the URIs that no session is subscribed to any more. */
  endSession(sessionId: string): readonly string[];
  sessions(): Iterable<string>;
}

export interface ConnectionSubscriptions {
  /** A new connection has to subscribe to these. */
  uris(): readonly string[];
  /** The subscribed sessions. */
  sessions(): readonly string[];
  /** The answer to a request that is not sent to the server. */
  answerFor(request: UpstreamRequest): RawAnswer | undefined;
  /** Records a request that the server has agreed to. */
  record(request: UpstreamRequest): void;
}

const subscribe = 'resources/subscribe';
const unsubscribe = 'resources/unsubscribe';

/** Methods that are relayed by `SessionPreferences`. */
export const subscriptionMethods: ReadonlySet<string> = new Set([subscribe, unsubscribe]);

export function createSubscriptions(): Subscriptions {
  const sessionsByUri = new Map<string, Set<string>>();

  function add(uri: string, sessionId: string): void {
    const sessions = sessionsByUri.get(uri) ?? new Set();
    sessionsByUri.set(uri, sessions.add(sessionId));
  }

  function remove(uri: string, sessionId: string): void {
    const sessions = sessionsByUri.get(uri);
    sessions?.delete(sessionId);
    if (sessions?.size === 0) sessionsByUri.delete(uri);
  }

  function isWantedByOthers(uri: string, sessionId: string): boolean {
    const sessions = sessionsByUri.get(uri);
    return sessions !== undefined && sessions.size > (sessions.has(sessionId) ? 1 : 0);
  }

  const sessions = () => [...sessionsByUri.values()].flatMap((subscribed) => [...subscribed]);

  return {
    of: (only) => ({
      sessions: () => sessions().filter((sessionId) => only === undefined || sessionId === only),
      uris: () =>
        [...sessionsByUri]
          .filter(([, sessions]) => only === undefined || sessions.has(only))
          .map(([uri]) => uri),
      answerFor(request) {
        if (request.method !== unsubscribe || only !== undefined) return undefined;
        const uri = uriOf(request);
        if (!isWantedByOthers(uri, request.sessionId)) return undefined;
        remove(uri, request.sessionId);
        return { result: '{}' };
      },
      record(request) {
        if (request.method === subscribe) add(uriOf(request), request.sessionId);
        else if (request.method === unsubscribe) remove(uriOf(request), request.sessionId);
      },
    }),
    endSession(sessionId) {
      const left = [...sessionsByUri].filter(
        ([, sessions]) => sessions.delete(sessionId) && sessions.size === 0,
      );
      for (const [uri] of left) sessionsByUri.delete(uri);
      return left.map(([uri]) => uri);
    },
    sessions,
  };
}

function uriOf(request: UpstreamRequest): string {
  return String(JSON.parse(memberText(request.params(0), 'uri') ?? '""'));
}
