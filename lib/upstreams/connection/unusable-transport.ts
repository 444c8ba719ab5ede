import type { Transport, TransportEvents } from '../transports/transport.ts';

/** Stands in for a transport that could not be opened at all, and says so at once. */
export function unusableTransport(events: TransportEvents, reason: string): Transport {
  queueMicrotask(() => events.onClose(reason));
  return {
    pid: undefined,
    sendRequest() {},
    async sendOther() {},
    ready() {},
    forget() {},
    async close() {},
  };
}
