/** Counts for `GET /metrics`; a backend may ignore them all. */
export interface Metrics {
  /**
   * One relayed call ended. `outcome` is `ok`, `tool_error` (the tool's own isError), `rpc_error`
   * (its JSON-RPC error), `cancelled`, or a failure code.
   */
  countCall(server: string, tool: string, outcome: string, milliseconds: number): void;
  /** As `countCall`, of a call that no agent made: somebody tried the tool (`POST /api/tools/{tool}/try`). */
  countTry(server: string, tool: string, outcome: string, milliseconds: number): void;
  /** The service put a container right by itself: one without a server removed, one brought back, a new image taken. */
  countRepair(kind: 'reaped' | 'reconnected'): void;
  /** Prometheus text format 0.0.4. */
  render(): Promise<string>;
}

/** Calls of agents and their failures of one server since start, with the last few, tries among them. */
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
  /** No agent made it: somebody tried the tool. */
  readonly tried?: true;
}
