import { defaultTimeouts, type ServerConfig } from '../../../lib/config/server-config.ts';
import type { RawAnswer } from '../../../lib/json-rpc/server-messages.ts';
import { silentLog } from '../../../lib/log.ts';
import { createUpstreams } from '../../../lib/upstreams/create-upstreams.ts';
import type { OpenTransport, TransportEvents } from '../../../lib/upstreams/transports/transport.ts';
import type { Upstreams } from '../../../lib/upstreams/upstreams.ts';
import { readOnlySecrets, serverConfig } from '../../support/upstream-fixture.ts';

/** A server called `slow` without a process: once it is closed, it is gone only when the test says so. */
export interface LingeringServers {
  readonly upstreams: Upstreams;
  /** Of those that are opened from now on: `bad` ones speak no version that is known. */
  behaviour: 'good' | 'bad' | 'silent';
  readonly opened: readonly LingeringServer[];
  readonly mostRunning: number;
  install(idleStopSeconds?: number): void;
  call(): Promise<RawAnswer>;
  close(): Promise<void>;
}

export interface LingeringServer {
  readonly config: ServerConfig;
  readonly events: TransportEvents;
  /** It is gone as soon as it is closed. */
  end(): void;
}

export const lingeringConfig = serverConfig({ name: 'slow', command: 'true' });

export function createLingeringServers(): LingeringServers {
  const opened: LingeringServer[] = [];
  let running = 0;
  const open: OpenTransport = (config, events) => {
    const { behaviour } = fixture;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    opened.push({ config, events, end });
    fixture.mostRunning = Math.max(fixture.mostRunning, ++running);
    return {
      pid: undefined,
      sendRequest(id, text) {
        if (behaviour === 'silent') return;
        const isFirst = text.includes('"initialize"');
        const result = isFirst && behaviour === 'good' ? initialized : '{}';
        queueMicrotask(() => events.onMessage(`{"jsonrpc":"2.0","id":${id},"result":${result}}`));
      },
      async sendOther() {},
      ready() {},
      forget() {},
      async close() {
        await ended;
        running--;
      },
    };
  };
  const upstreams = createUpstreams({
    secrets: readOnlySecrets(new Map()),
    openers: { stdio: open, streamable_http: open, sse: open },
    log: silentLog,
    onTools() {},
    onStatus() {},
  });
  const fixture: LingeringServers & { mostRunning: number } = {
    ...{ upstreams, behaviour: 'good', opened, mostRunning: 0 },
    install: (idleStopSeconds = 0) =>
      upstreams.install({ ...lingeringConfig, timeouts: { ...defaultTimeouts, idleStopSeconds } }),
    call: () =>
      upstreams.request({
        ...{ server: 'slow', sessionId: 's', method: 'tools/call', params: () => '{}' },
        signal: new AbortController().signal,
      }),
    async close() {
      for (const { end } of opened) end();
      await upstreams.close();
    },
  };
  return fixture;
}

const initialized = '{"protocolVersion":"2025-11-25","capabilities":{}}';
