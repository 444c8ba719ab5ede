/** Counts for `GET /metrics`; a backend may ignore them all. */
export interface Metrics {
  /**
   * One relayed call ended. `outcome` is `ok`, `tool_error` (the tool's own isError), `rpc_error`
   * (its JSON-RPC error), `cancelled`, or a failure code.
   */
  countCall(server: string, tool: string, outcome: string, milliseconds: number): void;
  /** As `countCall`, of a tool tried on the dashboard, not called by an agent (`POST /api/tools/{tool}/try`). */
  countTry(server: string, tool: string, outcome: string, milliseconds: number): void;
  /** The service repaired a container: removed one without a server, or reconnected one. */
  countRepair(kind: 'reaped' | 'reconnected'): void;
  /** Prometheus text format 0.0.4. */
  render(): Promise<string>;
}

/** Calls of agents and their failures for one server since start, with the last few, tries among them. */
export interface CallSummary {
  readonly total: number;
  readonly failed: number;
  readonly recent: readonly RecentCall[];
}

export interface RecentCall {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly tool: string;
  readonly outcome: string;
  readonly milliseconds: number;
  /** Tried on the dashboard, not called by an agent. */
  readonly tried?: true;
}
