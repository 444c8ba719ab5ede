import type { ListedTool } from '../catalog/catalog.ts';
import type { ServerFeatures } from '../catalog/features.ts';
import type { ServerConfig } from '../config/server-config.ts';
import type { Log } from '../log.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { UnsolicitedNotification } from './multiplexer/server-notifications.ts';
import type { SessionClients } from './sessions/session-clients.ts';
import type { Openers } from './transports/transport.ts';

/** What the upstreams need, and whom they tell. */
export interface UpstreamsDependencies {
  readonly secrets: Secrets;
  readonly openers: Openers;
  readonly log: Log;
  /** An installed server listed its tools: at each connect, and when it said that they changed. */
  readonly onTools: (config: ServerConfig, tools: readonly ListedTool[]) => void;
  /** The same for what it offers besides tools. */
  readonly onFeatures?: (config: ServerConfig, features: ServerFeatures) => void;
  /**
   * An installed server told something that belongs to no call. `sessionId`: it is for that session only, which alone
   * has used the connection; log messages are always for one.
   */
  readonly onUnsolicited?: (
    server: string,
    notification: UnsolicitedNotification,
    sessionId: string | undefined,
  ) => void;
  /** Absent: nobody can be asked outside of calls. */
  readonly clients?: SessionClients;
  /** `status(name)` is another one now. */
  readonly onStatus: (name: string) => void;
  /** How long the calls of a container may take to finish before another one serves on its data, ms. */
  readonly drainMs?: number;
  /** Monotonic milliseconds; deadlines are judged by it, whatever becomes of the time of day. */
  readonly now?: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock?: () => number;
  /** Of this program, told to servers. */
  readonly clientVersion?: string;
  /** By which other gateways know us. */
  readonly gatewayId?: () => string;
}
