/** How a server in a container that speaks HTTP is taken leave of: what a real engine cannot be asked to show. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { containerSpec } from '../../../lib/containers/store/make-container.ts';
import { ContainerHttpTransport } from '../../../lib/containers/transports/node-container-http-transport.ts';
import type { ClosePurpose } from '../../../lib/upstreams/transports/transport.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { createRecordingLog } from '../../support/recording-log.ts';
import { createScriptedContainers } from '../../support/scripted-containers.ts';
import { serverConfig } from '../../support/upstream-fixture.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('the transport over HTTP to a container');
const name = 'svc-mcp-web';

/** A transport over which the server has named a session. */
async function withSession(
  work: (fixture: {
    transport: ContainerHttpTransport;
    /** Its process ends; resolves when that is known. */
    exit(): Promise<void>;
    /** What became of the session and of the container, in order. */
    readonly seen: readonly string[];
  }) => Promise<void>,
): Promise<void> {
  const seen: string[] = [];
  let isReady = false;
  const server = await startHttpServer((request, response) => {
    if (request.method === 'DELETE') seen.push('farewell');
    const session = isReady ? { 'mcp-session-id': 's' } : {};
    response.writeHead(200, { 'content-type': 'application/json', ...session }).end('{}');
  });
  const engine = createScriptedContainers();
  const config = serverConfig({ name: 'web', image: 'tool:1', transport: 'streamable_http', port: 80 });
  await engine.create(containerSpec(config, { name, sessionId: undefined, configHash: 'h' }));
  const container = engine.named(name);
  container.facts = { ...container.facts, address: server.address };
  const containerStore = {
    acquire: async () => ({
      facts: container.facts,
      staysDown: async () => false,
      answered() {},
      release: async (purpose: ClosePurpose) => void seen.push(purpose),
    }),
  };
  const answered = new Set<number | undefined>();
  const closes: string[] = [];
  const events = {
    onMessage: (_text: string, id?: number) => answered.add(id),
    isAwaited: () => true,
    onHungUp() {},
    onShared() {},
    onSendFailed() {},
    onLost() {},
    onClose: (reason: string) => closes.push(reason),
    onStderr() {},
  };
  const { log } = createRecordingLog();
  const transport = new ContainerHttpTransport(
    config,
    events,
    { containers: engine, containerStore, log },
    undefined,
  );
  try {
    await transport.sendOther('{}');
    isReady = true;
    transport.sendRequest(1, '{}');
    await waitUntil('it answers', () => answered.has(1));
    await work({
      transport,
      seen,
      async exit() {
        container.exit(1);
        await waitUntil('its end is told', () => closes.length > 0);
      },
    });
  } finally {
    await server.close();
  }
}

test('one that runs hears a farewell before it is stopped', () =>
  withSession(async ({ transport, seen }) => {
    await transport.close('stop');

    assert.equal(seen, ['farewell', 'stop']);
  }));

test('one that has ended hears none: its container is let go of at once', () =>
  withSession(async ({ transport, seen, exit }) => {
    await exit();

    await transport.close('stop');

    assert.equal(seen, ['let-go']);
  }));

test.run();
