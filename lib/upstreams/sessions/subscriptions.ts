import { memberText } from '../../json/raw-json.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { UpstreamRequest } from '../upstreams.ts';

/**
 * Who of a server's sessions wants to hear of which resource (mcp-spec rule 48). It outlives connections: a new one
 * subscribes again. A server that several sessions share hears of the last one that leaves, not of those before.
 */
export interface Subscriptions {
  /** @param sessionId The one session that a connection serves; absent: it serves them all. */
  of(sessionId?: string): ConnectionSubscriptions;
  /** Forgets a session; the URIs that nobody wants any more. */
  endSession(sessionId: string): readonly string[];
  sessions(): Iterable<string>;
}

export interface ConnectionSubscriptions {
  /** What a new connection has to subscribe to. */
  uris(): readonly string[];
  /** The sessions that want to hear of them. */
  sessions(): readonly string[];
  /** The answer to a request that the server need not hear of. */
  answerFor(request: UpstreamRequest): RawAnswer | undefined;
  /** Takes down what the server agreed to. */
  note(request: UpstreamRequest): void;
}

const subscribe = 'resources/subscribe';
const unsubscribe = 'resources/unsubscribe';

export function isSubscription(method: string): boolean {
  return method === subscribe || method === unsubscribe;
}

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

  const sessions = () => [...sessionsByUri.values()].flatMap((wanting) => [...wanting]);

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
      note(request) {
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
