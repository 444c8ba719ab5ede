import type { CancelSignal } from '../async/cancellation.ts';
import type { ListedGroupTool } from '../groups/tool-listing.ts';

/**
 * Calls of tools by those who administrate, before agents have them (docs/decisions/0022). The call is made as a call of
 * an agent is, within the server's own limits and times; no client stands behind it.
 */
export interface Tries {
  /**
   * @param signal Aborted when the caller goes away: the server is told, and this rejects with `signal.reason`.
   * @throws Failure `tool_not_found`, `group_not_found`, `database_unavailable` (not loaded yet); `upstream_unavailable`,
   *   `upstream_timeout`, `too_many_requests` as a call meets them; `upstream_error` when the server answers with a
   *   JSON-RPC error, which is in `details`.
   */
  run(tryRequest: TryRequest, signal: CancelSignal): Promise<TriedCall>;
}

export interface TryRequest {
  /** Full name. */
  readonly tool: string;
  /** Raw JSON text of an object. */
  readonly argumentsText: string;
  /** Of which the answer says how the tool stands in it; absent: the default group, if there is one. */
  readonly group: string | undefined;
}

export interface TriedCall {
  readonly server: string;
  /** Raw JSON text of the CallToolResult. */
  readonly result: string;
  readonly milliseconds: number;
  /** Undefined: there is no default group. */
  readonly standing: Standing | undefined;
}

/** How the tool stands in a group, as `GET /api/tools` tells it. */
export interface Standing extends Pick<ListedGroupTool, 'enabled' | 'state'> {
  readonly group: string;
}
