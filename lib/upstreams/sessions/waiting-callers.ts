import type { Caller, UpstreamRequest } from '../upstreams.ts';

/** The clients whose calls wait for a connection: while it starts, its server may ask them for something. */
export interface WaitingCallers {
  during<Value>(request: Pick<UpstreamRequest, 'caller'>, start: Promise<Value>): Promise<Value>;
  /** Who can be asked and has waited longest. */
  first(): Caller | undefined;
}

export function createWaitingCallers(): WaitingCallers {
  const waiting = new Set<Pick<UpstreamRequest, 'caller'>>();
  return {
    during(request, start) {
      const forget = () => void waiting.delete(request);
      waiting.add(request);
      start.then(forget, forget);
      return start;
    },
    first: () => [...waiting].find(({ caller }) => caller?.canAnswer)?.caller,
  };
}
