import type { CallSummary } from './metrics.ts';

/** The calls to each server, whichever process of this installation relayed them: what the manager shows. */
export interface ServerCalls {
  /** Of this process as of now, of the others as last looked up. */
  of(server: string): ServerCallSummary;
  /** Looks up what the others relayed, once in half a second at most. Never rejects: what was known stays. */
  look(): Promise<void>;
  /** Tells the others once more. */
  close(): Promise<void>;
}

export interface ServerCallSummary extends CallSummary {
  readonly inFlight: number;
}

/** How many of the last calls are shown. */
export const mostRecentCalls = 20;

/** @param parts in any order */
export function addUp(parts: readonly ServerCallSummary[]): ServerCallSummary {
  const sum = (count: (part: ServerCallSummary) => number) =>
    parts.reduce((total, part) => total + count(part), 0);
  return {
    total: sum(({ total }) => total),
    failed: sum(({ failed }) => failed),
    inFlight: sum(({ inFlight }) => inFlight),
    recent: parts
      .flatMap(({ recent }) => recent)
      .sort((one, other) => other.at - one.at)
      .slice(0, mostRecentCalls),
  };
}
