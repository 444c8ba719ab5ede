/** The transport over attach, where a real engine cannot be made to fail as wanted. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultLimits, defaultTimeouts, type ServerConfig } from '../../../lib/config/server-config.ts';
import type { LeasedContainer } from '../../../lib/containers/store/container-store.ts';
import { containerSpec } from '../../../lib/containers/store/make-container.ts';
import { ContainerStdioTransport } from '../../../lib/containers/transports/node-container-stdio-transport.ts';
import type { ClosePurpose, ServerEnd } from '../../../lib/upstreams/transports/transport.ts';
import { createRecordingLog } from '../../support/recording-log.ts';
import { createScriptedContainers } from '../../support/scripted-containers.ts';
import { serverConfig } from '../../support/upstream-fixture.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('the transport over attach');
const name = 'svc-mcp-files';

/** A transport to a container that is there, in the state that `before` leaves it in. */
async function setUp(
  options: { isRunning?: boolean; config?: Partial<ServerConfig>; acquireFailure?: Error } = {},
) {
  const engine = createScriptedContainers();
  const config = serverConfig({ name: 'files', image: 'tool:1', ...options.config });
  const id = await engine.create(containerSpec(config, { name, sessionId: undefined, configHash: 'h' }));
  if (options.isRunning) await engine.start(id);
  const released: ClosePurpose[] = [];
  const { log, logged } = createRecordingLog();
  const messages: string[] = [];
  const shared: string[] = [];
  const closes: { reason: string; end: ServerEnd | undefined }[] = [];
  const containerStore = {
    async acquire(): Promise<LeasedContainer> {
      if (options.acquireFailure) throw options.acquireFailure;
      return {
        facts: engine.named(name).facts,
        staysDown: async () => false,
        answered() {},
        release: async (purpose) => void released.push(purpose),
      };
    },
  };
  const events = {
    onMessage: (text: string) => messages.push(text),
    isAwaited: () => true,
    onHungUp() {},
    onShared: () => void shared.push(name),
    onSendFailed() {},
    onLost() {},
    onClose: (reason: string, end?: ServerEnd) => closes.push({ reason, end }),
    onStderr() {},
  };
  const transport = new ContainerStdioTransport(
    config,
    events,
    { containers: engine, containerStore, log },
    undefined,
  );
  await new Promise((resolve) => setTimeout(resolve, 5));
  return { engine, transport, messages, shared, closes, released, logged, container: engine.named(name) };
}

test('attaches before the start, and sends what waited for it', async () => {
  const { engine, transport, container, shared } = await setUp();
  transport.sendRequest(1, '{"id":1}');
  await waitUntil('it is written', () => container.written !== '');

  assert.equal(engine.calls, [`create ${name}`, `start ${name}`]);
  assert.is(container.written, '{"id":1}\n');
  assert.equal(shared, []);
  await transport.close('let-go');
});

test('ends the half line of the service before, and gives up on a server that does not answer', async () => {
  const { transport, container, closes, released, shared } = await setUp({
    isRunning: true,
    config: { timeouts: { ...defaultTimeouts, startMs: 100 } },
  });
  transport.sendRequest(1, '{"id":1}');
  await waitUntil('it gives up', () => closes.length > 0);

  assert.is(container.written, '\n{"id":1}\n');
  assert.match(String(closes[0]?.reason), 'it does not answer and will be started anew');
  await transport.close('stop');
  assert.equal(released, ['stop']);
  // What it still works on is of sessions that nobody knows here.
  assert.equal(shared, [name]);
});

test('a server that answers the handshake is not given up, and is kept running', async () => {
  const { transport, container, closes } = await setUp({
    isRunning: true,
    config: { timeouts: { ...defaultTimeouts, startMs: 100 } },
  });
  transport.ready();
  await new Promise((resolve) => setTimeout(resolve, 100));

  assert.equal(closes, []);
  assert.ok(container.isKept);
  await transport.close('let-go');
});

test('a line beyond the limit ends it, and the container is stopped, since it lives', async () => {
  const { transport, container, closes, released } = await setUp({
    config: { limits: { ...defaultLimits, lineBytes: 1000 } },
  });
  container.print('x'.repeat(1001));

  assert.match(String(closes[0]?.reason), 'more than 1000 bytes');
  await transport.close('stop');
  assert.equal(released, ['stop']);
});

test('messages are lines, however they are cut', async () => {
  const { transport, container, messages } = await setUp();
  for (const part of ['{"a":', '1}\n{"b":2}\n{"c', '":3}', '\n']) container.print(part);

  assert.equal(messages, ['{"a":1}', '{"b":2}', '{"c":3}']);
  await transport.close('let-go');
});

test('what is not read waits here, and goes out when it is', async () => {
  const { transport, container } = await setUp();
  container.isFull = true;
  transport.sendRequest(1, 'first');
  await waitUntil('the first is written', () => container.written === 'first\n');
  transport.sendRequest(2, 'second');
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.is(container.written, 'first\n');

  container.drain();

  assert.is(container.written, 'first\nsecond\n');
  await transport.close('let-go');
});

test('a server that reads nothing is ended before it costs us our memory', async () => {
  const { transport, container, closes } = await setUp();
  container.isFull = true;
  transport.sendRequest(1, 'first');
  await waitUntil('the first is written', () => container.written === 'first\n');

  for (let sent = 0; sent < 9; sent++) transport.sendRequest(sent, 'x'.repeat(8 * 1024 * 1024));

  assert.match(String(closes[0]?.reason), 'it does not read what it is sent');
  await transport.close('stop');
});

test('one that ended by itself is let go, because it may be coming back by itself', async () => {
  const { transport, container, closes, released } = await setUp();
  container.exit(7);
  await waitUntil('its end is told', () => closes.length > 0);

  assert.is(closes[0]?.reason, 'its container ended with exit code 7');
  assert.is(closes[0]?.end?.exitCode, 7);
  await transport.close('stop');
  assert.equal(released, ['let-go']);
});

test('one that nobody wants any more is discarded, though it has ended', async () => {
  const { transport, container, closes, released } = await setUp();
  container.exit(1);
  await waitUntil('its end is told', () => closes.length > 0);

  await transport.close('discard');

  assert.equal(released, ['discard']);
});

test('an engine that goes away with its containers is named as the reason', async () => {
  const { engine, transport, container, closes } = await setUp();
  engine.isAway = true;
  container.exit(137);
  await waitUntil('its end is told', () => closes.length > 0);

  assert.is(closes[0]?.reason, 'the container engine does not answer');
  await transport.close('stop');
});

test('closed while it is being opened, it is released and starts nothing', async () => {
  const engine = createScriptedContainers();
  const config = serverConfig({ name: 'files', image: 'tool:1' });
  await engine.create(containerSpec(config, { name, sessionId: undefined, configHash: 'h' }));
  const released: ClosePurpose[] = [];
  const held = {
    facts: engine.named(name).facts,
    staysDown: async () => false,
    release: async (purpose: ClosePurpose) => void released.push(purpose),
  };
  const containerStore = {
    acquire: () => new Promise<LeasedContainer>((resolve) => setTimeout(resolve, 30, held)),
  };
  const events = {
    onMessage() {},
    isAwaited: () => true,
    onHungUp() {},
    onShared() {},
    onSendFailed() {},
    onLost() {},
    onClose() {},
    onStderr() {},
  };
  const { log } = createRecordingLog();
  const transport = new ContainerStdioTransport(
    config,
    events,
    { containers: engine, containerStore, log },
    undefined,
  );

  await transport.close('discard');

  assert.equal(released, ['discard']);
  assert.equal(engine.calls, [`create ${name}`]);
});

test('what the engine says of a start that failed goes to the log, without what it was given', async () => {
  const { closes, logged, transport } = await setUp({
    config: { env: { TOKEN: 'canary-of-a-variable' }, args: ['--key=canary-of-an-argument'] },
    acquireFailure: new Error('exec "--key=canary-of-an-argument": canary-of-a-variable not found'),
  });

  assert.equal(
    closes.map(({ reason }) => reason),
    ['its container could not be started'],
  );
  assert.match(JSON.stringify(logged), 'not found');
  assert.not.match(JSON.stringify(logged), 'canary');
  await transport.close('stop');
});

test.run();
