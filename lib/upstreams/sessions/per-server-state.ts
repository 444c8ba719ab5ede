import { createLogLines, type LogLines } from '../transports/log-lines.ts';
import { createSharing, type Sharing } from './sharing.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

/** What is kept of a server over its connections. */
export interface Kept {
  readonly logLines: LogLines;
  readonly sharing: Sharing;
  readonly subscriptions: Subscriptions;
}

export interface PerServerState {
  /** Begun when there is nothing yet. */
  of(name: string): Kept;
  known(name: string): Kept | undefined;
  /** An attempt before this one may have been over only now, and have forgotten it. */
  keep(name: string, kept: Kept): void;
  forget(name: string): void;
}

export function createPerServerState(): PerServerState {
  const servers = new Map<string, Kept>();
  return {
    of(name) {
      const known = servers.get(name);
      if (known) return known;
      const fresh = {
        logLines: createLogLines(),
        sharing: createSharing(),
        subscriptions: createSubscriptions(),
      };
      servers.set(name, fresh);
      return fresh;
    },
    known: (name) => servers.get(name),
    keep: (name, kept) => void servers.set(name, kept),
    forget: (name) => void servers.delete(name),
  };
}
