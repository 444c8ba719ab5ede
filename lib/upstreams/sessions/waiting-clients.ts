import type { ClientChannel, UpstreamRequest } from '../upstreams.ts';

/** The clients whose calls wait for a connection: while it starts, its server may ask them for something. */
export interface WaitingCallers {
  during<Value>(request: Pick<UpstreamRequest, 'clientChannel'>, start: Promise<Value>): Promise<Value>;
  /** Who can be asked and has waited longest. */
  first(): ClientChannel | undefined;
}

export function createWaitingClients(): WaitingCallers {
  const waiting = new Set<Pick<UpstreamRequest, 'clientChannel'>>();
  return {
    during(request, start) {
      const forget = () => void waiting.delete(request);
      waiting.add(request);
      start.then(forget, forget);
      return start;
    },
    first: () => [...waiting].find(({ clientChannel }) => clientChannel?.canAnswer)?.clientChannel,
  };
}
