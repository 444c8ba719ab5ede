import type { ServerConfig } from '../../config/server-config.ts';
import type { Log } from '../../log.ts';
import type { UpstreamRequest } from '../upstreams.ts';

/**
 * The sessions that a connection has carried since it began. Questions and log messages of a server that come outside of a
 * call's own stream do not name their session, and may come late or belong to a cancelled call: they certainly belong to a
 * session only while no other has ever used the connection.
 */
export interface ConnectionUsers {
  /** The one session that everything on this connection belongs to; undefined: there is none yet, or more than one. */
  readonly only: string | undefined;
  readonly areSeveral: boolean;
  readonly isUnused: boolean;
  /** The client of `only` can be asked, which it no longer could if another session used this connection. */
  readonly isReserved: boolean;
  add(sessionId: string, canAnswer: boolean): void;
  /** Messages on this connection may concern sessions that are not known here. */
  addUnknown(): void;
  /** The session has ended; messages that belong to it may still come. */
  end(sessionId: string): void;
}

/** @param owner The one session that may use the connection, if it is for one. */
export function createConnectionUsers(owner: string | undefined): ConnectionUsers {
  let first = owner;
  let areSeveral = false;
  let isReserved = false;

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
    get isReserved() {
      return isReserved && !areSeveral;
    },
    add(sessionId, canAnswer) {
      first ??= sessionId;
      if (first !== sessionId) areSeveral = true;
      else if (canAnswer) isReserved = true;
    },
    addUnknown() {
      areSeveral = true;
    },
    end(sessionId) {
      if (first === sessionId) isReserved = false;
    },
  };
}

/**
 * Whether the sessions of a server may share a connection. They may, unless the server sends its clients messages that name
 * no call: then each session whose client can be asked gets a connection of its own, and all that comes on it is for that
 * session. This holds for a server that has ever asked a client something outside of a call, and for one that declares
 * `logging` while the shared connection is another session's.
 */
export interface Sharing {
  /** True for the first time. */
  onAskedBack(): boolean;
  /**
   * @param users Of the shared connection; undefined: it is not open.
   * @param mayLog The server declares `logging`, and its log messages do not name their call.
   */
  mustStayApart(request: Sharer, users: ConnectionUsers | undefined, mayLog: boolean): boolean;
}

type Sharer = Pick<UpstreamRequest, 'sessionId' | 'clientChannel'>;

export function createSharing(): Sharing {
  let asksBack = false;

  return {
    onAskedBack() {
      const isFirst = !asksBack;
      asksBack = true;
      return isFirst;
    },
    mustStayApart({ sessionId, clientChannel }, users, mayLog) {
      const isOthers = users !== undefined && !users.isUnused;
      if (!asksBack && !(mayLog && isOthers)) return false;
      if (users?.only === sessionId) return false;
      return clientChannel?.canAnswer === true || users?.isReserved === true;
    },
  };
}

const asksBack =
  'This server asks clients something outside of the streams of their calls; each session gets a connection of its own.';
const asksInContainer =
  'This server asks clients something outside of the streams of their calls. Its sessions share one container and its data, so such questions are refused once several have used it. With `session_mode: stateful` each session has a container, and data, of its own.';
const undelivered =
  'This server logs to several sessions over one connection, which reaches none: nobody can tell whose it is. With `session_mode: stateful` each session has a connection of its own.';

export function logAskedBack(log: Log, { name, image, sessionMode }: ServerConfig): void {
  if (image === undefined) log.info({ server: name }, asksBack);
  else if (sessionMode !== 'stateful') log.warn({ server: name }, asksInContainer);
}

export function logUndelivered(log: Log, { name }: ServerConfig): void {
  log.warn({ server: name }, undelivered);
}
