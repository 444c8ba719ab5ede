import type { ConnectionUsers } from './connection-users.ts';
import type { UpstreamRequest } from './upstreams.ts';

/**
 * Whether a server's sessions may share a connection. They may, until the server turns out to be one that asks clients
 * something without saying in whose call: from then on, whatever connections come and go, each session that can be asked
 * has one to itself, so that a question can be nobody else's.
 */
export interface Sharing {
  /** True when that is news. */
  onAsksBack(): boolean;
  /** @param users Of the shared connection; undefined: there is none now. */
  mustStayApart(request: Sharer, users: ConnectionUsers | undefined): boolean;
}

type Sharer = Pick<UpstreamRequest, 'sessionId' | 'caller'>;

export function createSharing(): Sharing {
  let asksBack = false;

  return {
    onAsksBack() {
      const isNews = !asksBack;
      asksBack = true;
      return isNews;
    },
    mustStayApart({ sessionId, caller }, users) {
      if (!asksBack || users?.only === sessionId) return false;
      return caller?.canAnswer === true || users?.isKept === true;
    },
  };
}
