import { defaultLimits, defaultTimeouts, type ServerLimits } from '../../../lib/config/server-config.ts';
import { Multiplexer } from '../../../lib/upstreams/multiplexer/multiplexer.ts';
import type { ServerNotifications } from '../../../lib/upstreams/multiplexer/receiver.ts';
import type { TransportEvents } from '../../../lib/upstreams/transports/transport.ts';
import { unavailable } from '../../../lib/upstreams/upstream-failures.ts';
import type { ClientChannel } from '../../../lib/upstreams/upstreams.ts';

export interface Sent {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

/** A multiplexer over a transport that only writes down; the test plays the server. */
export function createMultiplexerFixture(
  limits: Partial<ServerLimits> = {},
  onUnsolicited?: ServerNotifications['onUnsolicited'],
) {
  const sent: Sent[] = [];
  const ends: string[] = [];
  let events: TransportEvents | undefined;
  let isClosed = false;
  const multiplexer = new Multiplexer({
    config: { name: 'files', timeouts: defaultTimeouts, limits: { ...defaultLimits, ...limits } },
    now: () => performance.now(),
    onEnd: (reason) => ends.push(reason),
    onListChanged() {},
    onUnsolicited,
    onStderr() {},
    open(given) {
      events = given;
      return {
        pid: undefined,
        sendRequest: (_id, text) => void sent.push(JSON.parse(text)),
        sendOther: async (text) => void sent.push(JSON.parse(text)),
        ready() {},
        forget() {},
        async close() {
          isClosed = true;
        },
      };
    },
  });
  const server = (): TransportEvents => {
    if (events === undefined) throw new Error('the transport was not opened');
    return events;
  };
  return {
    multiplexer,
    sent,
    ends,
    isClosed: () => isClosed,
    server,
    answer: (id: number, result = '{}') =>
      server().onMessage(`{"jsonrpc":"2.0","id":${id},"result":${result}}`),
    request: (signal = new AbortController().signal, clientChannel?: ClientChannel) =>
      multiplexer.request({
        sessionId: 'one',
        method: 'tools/call',
        params: () => '{}',
        signal,
        clientChannel,
      }),
    stop: () => multiplexer.fail(unavailable('files', 'the test is over'), 'stop'),
  };
}
