import type { ConnectionUsers } from '../connection/connection-users.ts';
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
