import type { ListedTool } from '../catalog/catalog.ts';
import type { ServerConfig } from '../catalog/server-config.ts';
import type { LogLines } from './log-lines.ts';

/** Which connection it is, and who hears of it. */
export interface SupervisedOptions {
  readonly config: ServerConfig;
  readonly logLines: LogLines;
  /**
   * `shared`: kept running, tools listed at each start. `listing`: stopped once the tools are listed.
   * `session`: serves one session of a stateful server; not restarted, because its state died with it.
   */
  readonly purpose: 'shared' | 'listing' | 'session';
  /** The MCP session it serves; only for `session`. */
  readonly sessionId?: string;
  /** False before it is committed: what a failed start leaves is then removed. */
  readonly isInstalled: () => boolean;
  readonly onTools: (tools: readonly ListedTool[]) => void;
  readonly onStatus: () => void;
}
