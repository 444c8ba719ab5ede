import type { UpstreamRequest } from '../upstreams.ts';

/**
 * Whether a server's sessions may share a connection. They may, unless the server has something to tell its clients without
 * saying in whose call: then each session that can be asked has a connection to itself, and what comes on it can be nobody
 * else's. A server that declares `logging` is one of these while its shared connection is another session's; one that has
 * asked a client something is from then on, whatever connections come and go.
 */
export interface Sharing {
  /** True when that is news. */
  onAsksBack(): boolean;
  /**
   * @param users Of the shared connection; undefined: there is none now.
   * @param mayLog The server declares `logging`, and nothing says of which call a message is.
   */
  mustStayApart(request: Sharer, users: ConnectionUsers | undefined, mayLog: boolean): boolean;
}

type Sharer = Pick<UpstreamRequest, 'sessionId' | 'clientChannel'>;

export function createSharing(): Sharing {
  let asksBack = false;

  return {
    onAsksBack() {
      const isChanged = !asksBack;
      asksBack = true;
      return isChanged;
    },
    mustStayApart({ sessionId, clientChannel }, users, mayLog) {
      const isOthers = users !== undefined && !users.isUnused;
      if (!asksBack && !(mayLog && isOthers)) return false;
      if (users?.only === sessionId) return false;
      return clientChannel?.canAnswer === true || users?.isKept === true;
    },
  };
}

/**
 * Which sessions a connection has carried since it began. What a server asks or logs outside of a call's own stream does
 * not say whose it is, and may come late or be of a cancelled call: it is certain only while one session alone has ever
 * used the connection.
 */
export interface ConnectionUsers {
  /** The one session that everything on this connection belongs to; undefined: there is none yet, or more than one. */
  readonly only: string | undefined;
  readonly areSeveral: boolean;
  readonly isUnused: boolean;
  /** `only` has a client that can be asked, and would lose that if another session came. */
  readonly isKept: boolean;
  add(sessionId: string, canAnswer: boolean): void;
  /** What this connection brings may concern others than who uses it. */
  addUnknown(): void;
  /** The session has ended; what it began here may still come. */
  end(sessionId: string): void;
}

/** @param owner The session that alone may use it, if there is one. */
export function createConnectionUsers(owner: string | undefined): ConnectionUsers {
  let first = owner;
  let areSeveral = false;
  let isKept = false;

  return {
    get only() {
      return areSeveral ? undefined : first;
    },
    get areSeveral() {
      return areSeveral;
    },
    get isUnused() {
      return first === undefined && !areSeveral;
    },
    get isKept() {
      return isKept && !areSeveral;
    },
    add(sessionId, canAnswer) {
      first ??= sessionId;
      if (first !== sessionId) areSeveral = true;
      else if (canAnswer) isKept = true;
    },
    addUnknown() {
      areSeveral = true;
    },
    end(sessionId) {
      if (first === sessionId) isKept = false;
    },
  };
}
