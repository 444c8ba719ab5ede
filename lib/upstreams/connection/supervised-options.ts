import type { ListedTool } from '../../catalog/catalog.ts';
import type { ServerFeatures } from '../../catalog/features.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import type { LogLevel } from '../../json-rpc/log-level.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { ServerNotifications } from '../multiplexer/server-notifications.ts';
import type { ConnectionSubscriptions } from '../sessions/subscriptions.ts';
import type { LogLines } from '../transports/log-lines.ts';
import type { UpstreamRequest } from '../upstreams.ts';

/** Which connection it is, and who hears of it. */
export interface SupervisedOptions
  extends Pick<ServerNotifications, 'onUnsolicited' | 'onUndelivered' | 'onAskedBack'> {
  readonly config: ServerConfig;
  readonly logLines: LogLines;
  /**
   * `shared`: kept running, tools listed at each start. `listing`: stopped once the tools are listed.
   * `session`: serves one session alone; not restarted, because its state died with it.
   */
  readonly purpose: 'shared' | 'listing' | 'session';
  /** The MCP session it serves; only for `session`. */
  readonly sessionId?: string;
  /** Milliseconds without a call after which it ends; absent: the config's. */
  readonly idleMs?: number;
  /** False before it is committed: what a failed start leaves is then removed. */
  readonly isCommitted: () => boolean;
  readonly onTools: (tools: readonly ListedTool[]) => void;
  /** What it offers besides tools was listed. */
  readonly onFeatures: (features: ServerFeatures) => void;
  /** Resources that its sessions want to hear of; absent: another connection looks after them. */
  readonly subscriptions: ConnectionSubscriptions | undefined;
  readonly onStatus: () => void;
  /** For a call that it never sent, now that it is closed. */
  readonly elsewhere: (request: UpstreamRequest) => Promise<RawAnswer>;
  /** How verbose it is to be; undefined: as it likes. */
  readonly logLevel: () => LogLevel | undefined;
}
