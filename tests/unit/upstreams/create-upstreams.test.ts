import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../../lib/observe/log.ts';
import { createUpstreams } from '../../../lib/upstreams/create-upstreams.ts';
import type { OpenTransport, TransportEvents } from '../../../lib/upstreams/transport.ts';
import { failureOf, readOnlySecrets, serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('servers that are being registered');

const results: Record<string, string> = {
  initialize: '{"protocolVersion":"2025-11-25","capabilities":{}}',
};

/** Servers without processes: one that ends at once but is long in going, then one that works. */
function setUp() {
  const opened: TransportEvents[] = [];
  let finishClosing = () => {};
  const gone = new Promise<void>((resolve) => {
    finishClosing = resolve;
  });
  const open: OpenTransport = (_config, events) => {
    const isFirst = opened.push(events) === 1;
    return {
      pid: undefined,
      sendRequest(id, text) {
        if (isFirst) return queueMicrotask(() => events.onClose('its process ended'));
        const { method }: { method: string } = JSON.parse(text);
        const answer = `{"jsonrpc":"2.0","id":${id},"result":${results[method] ?? '{}'}}`;
        queueMicrotask(() => events.onMessage(answer));
      },
      async sendOther() {},
      ready() {},
      forget() {},
      close: async () => (isFirst ? gone : undefined),
    };
  };
  const upstreams = createUpstreams({
    secrets: readOnlySecrets(new Map()),
    openers: { stdio: open, streamable_http: open, sse: open },
    log: silentLog,
    onTools() {},
    onStatus() {},
  });
  return { upstreams, opened, finishClosing };
}

test('an attempt that is over only later takes nothing from the one that is registered', async () => {
  const { upstreams, opened, finishClosing } = setUp();
  const config = serverConfig({ name: 'new', command: 'true' });
  await failureOf(upstreams.prepare(config));
  const candidate = await upstreams.prepare(config);

  finishClosing();
  await new Promise((resolve) => setImmediate(resolve));
  candidate.commit();
  opened[1]?.onStderr('it says this\n');

  assert.equal(upstreams.logs('new', 5), ['it says this']);
  await upstreams.close();
});

test.run();
