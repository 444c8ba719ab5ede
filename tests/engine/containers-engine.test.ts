/** The container engine behind its interface: a real engine, a real registry, and registries that misbehave. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerEvent, ContainerSpec, PullProgress } from '../../lib/containers/containers.ts';
import { type EngineProxy, startEngineProxy } from '../support/engine-proxy.ts';
import { startFakeRegistry } from '../support/fake-registry.ts';
import { openTestbed, testImage } from '../support/testbed.ts';
import { failureOf } from '../support/upstream-fixture.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('the container engine');
const bed = await openTestbed();

if (bed) {
  const { containers, docker, name } = bed;
  const never = new AbortController().signal;
  const ended = new AbortController();
  let proxy: EngineProxy;

  const spec = (fields: Partial<ContainerSpec> & { server: string }): ContainerSpec => ({
    name: `svc-mcp-${fields.server}`,
    configHash: 'hash',
    image: testImage('everything'),
    reference: fields.image ?? testImage('everything'),
    command: [],
    env: {},
    limits: { memoryMb: 256, cpus: 0.5, pids: 64 },
    network: 'bridge',
    readOnly: false,
    user: undefined,
    port: undefined,
    entrypoint: undefined,
    shmMb: undefined,
    capabilities: [],
    mounts: [],
    ...fields,
  });
  const pull = (image: string) => containers.pull(image, () => {}, never);
  const statusOf = async (id: string) => (await containers.inspect(id))?.status;

  test.before(async () => {
    proxy = await startEngineProxy();
    await pull(testImage('everything'));
    await pull(testImage('broken'));
  });
  test.after(async () => {
    ended.abort();
    await proxy.close();
    await bed.close();
  });

  test('tells its progress while it pulls, never going back, and ends at 100 %', async () => {
    const registry = await startFakeRegistry(4_000_000);
    const progress: PullProgress[] = [];

    await containers.pull(registry.image, (each) => progress.push(each), never);

    const percents = progress.map(({ percent }) => percent ?? 0);
    assert.equal(
      percents,
      [...percents].sort((a, b) => a - b),
    );
    assert.equal(progress.at(-1), { percent: 100, layers: { done: 2, total: 2 } });
    assert.ok(progress.length > 3);
    await docker.getImage(registry.image).remove();
    await registry.close();
  });

  test('a pull that breaks off midway is a failure of the registry, and leaves no image', async () => {
    const registry = await startFakeRegistry();
    registry.refuseLayers();

    const failure = await failureOf(pull(registry.image));

    assert.is(failure.code, 'provision_failed');
    assert.is((failure as { status?: number }).status, 502);
    assert.match(failure.message, 'broke off midway');
    assert.is(await containers.image(registry.image), undefined);
    await registry.close();
  });

  test('a local image serves when its registry is gone, and does not when the registry refuses', async () => {
    const registry = await startFakeRegistry();
    await pull(registry.image);

    registry.refuseWith(401, 'UNAUTHORIZED');
    assert.match((await failureOf(pull(registry.image))).message, 'refuses access');
    await registry.close();
    await pull(registry.image);

    await docker.getImage(registry.image).remove();
    assert.match((await failureOf(pull(registry.image))).message, 'cannot be reached');
  });

  test('an unknown tag and an unknown repository are 422', async () => {
    for (const image of [testImage('everything').replace(/1$/, '99'), testImage('no-such-thing')]) {
      const failure = await failureOf(pull(image));
      assert.is((failure as { status?: number }).status, 422);
      assert.match(failure.message, image);
    }
  });

  test('a pull can be called off', async () => {
    const controller = new AbortController();
    const reason = new Error('called off');
    const pulling = containers.pull(testImage('memory'), () => controller.abort(reason), controller.signal);
    controller.abort(reason);

    assert.is(await failureOf(pulling), reason);
  });

  test('an image says which ports it listens on', async () => {
    assert.equal((await containers.image(testImage('everything')))?.ports, [3001]);
    assert.is(await containers.image(testImage('no-such-thing')), undefined);
  });

  test('a container is hardened, bounded and ours, as the engine itself tells', async () => {
    const id = await containers.create(
      spec({ server: name('hard'), readOnly: true, user: '1000', port: 3001 }),
    );

    const { HostConfig: host, Config: config } = await docker.getContainer(id).inspect();
    assert.equal(
      {
        privileged: host.Privileged,
        capabilities: host.CapDrop,
        security: host.SecurityOpt,
        binds: host.Binds,
        init: host.Init,
        memory: [host.Memory, host.MemorySwap],
        cpus: host.NanoCpus,
        pids: host.PidsLimit,
        log: host.LogConfig,
        network: host.NetworkMode,
        restart: host.RestartPolicy?.Name,
        root: host.ReadonlyRootfs,
        ports: host.PortBindings,
        user: config.User,
        stdin: [config.OpenStdin, config.StdinOnce, config.Tty],
      },
      {
        privileged: false,
        capabilities: ['ALL'],
        security: ['no-new-privileges'],
        binds: null,
        init: true,
        memory: [268435456, 268435456],
        cpus: 500000000,
        pids: 64,
        log: { Type: 'local', Config: { 'max-file': '2', 'max-size': '5m' } },
        network: `svc-mcp-${bed.deploymentId}`,
        restart: 'no',
        root: true,
        ports: { '3001/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }] },
        user: '1000',
        stdin: [true, false, false],
      },
    );
    await containers.keepRunning(id);
    const kept = await docker.getContainer(id).inspect();
    assert.is(kept.HostConfig.RestartPolicy?.Name, 'unless-stopped');
    await containers.remove(id);
  });

  test('variables and commands are in no request address', async () => {
    const through = bed.connect({ dockerHost: proxy.host });

    const id = await through.create(
      spec({ server: name('env'), env: { TOKEN: 'canary-1' }, command: ['canary-2'] }),
    );

    const { Config: config } = await docker.getContainer(id).inspect();
    assert.ok(config.Env.includes('TOKEN=canary-1'));
    assert.ok(proxy.requests.some((line) => line.startsWith('POST /containers/create')));
    assert.not.match(proxy.requests.join('\n'), 'canary');
    await containers.remove(id);
  });

  test('a name that is taken is a conflict', async () => {
    const id = await containers.create(spec({ server: name('twice') }));

    assert.is((await failureOf(containers.create(spec({ server: name('twice') })))).code, 'conflict');
    await containers.remove(id);
  });

  test('what is so already is no failure: start, stop, remove, and all of them once it is gone', async () => {
    const id = await containers.create(spec({ server: name('again') }));

    await containers.start(id);
    await containers.start(id);
    assert.is(await statusOf(id), 'running');
    await containers.stop(id);
    await containers.stop(id);
    assert.is(await statusOf(id), 'exited');
    await containers.remove(id);
    await containers.remove(id);
    await containers.stop(id);
    await containers.keepRunning(id);
    assert.is(await containers.inspect(id), undefined);
    assert.equal(await containers.logs(id, 10, 'both'), []);
  });

  test('a program that is not in the image is 422 when it is started', async () => {
    const id = await containers.create(spec({ server: name('user'), user: 'nobody-of-that-name' }));

    const failure = await failureOf(containers.start(id));

    assert.is((failure as { status?: number }).status, 422);
    assert.not.match(failure.message, 'nobody-of-that-name');
    await containers.remove(id);
  });

  test('attached before the start, nothing of a short life is missed', async () => {
    const id = await containers.create(spec({ server: name('short'), image: testImage('broken') }));
    const attachment = await containers.attach(id);
    await containers.start(id);
    let text = '';

    await new Promise<void>((resolve) => {
      attachment.onStderr((chunk) => {
        text += Buffer.from(chunk).toString();
      });
      attachment.onEnd(resolve);
    });

    assert.is(text, 'FATAL: API_KEY is not set\n');
    await waitUntil('the engine has noticed', async () => (await containers.inspect(id))?.exitCode === 3);
    assert.equal(await containers.logs(id, 10, 'stderr'), ['FATAL: API_KEY is not set']);
    await containers.remove(id);
  });

  test('a server outlives those who are attached to it, and answers the next', async () => {
    const id = await containers.create(spec({ server: name('outlives') }));
    const first = await containers.attach(id);
    await containers.start(id);
    first.onStdout(() => {});
    first.detach();

    const second = await containers.attach(id);
    const answered = new Promise<string>((resolve) => {
      second.onStdout((chunk) => resolve(Buffer.from(chunk).toString()));
    });
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    second.write(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params })}\n`);

    assert.is(JSON.parse(await answered).id, 7);
    second.detach();
    await containers.remove(id);
  });

  test('the address of an HTTP server is another one after each start', async () => {
    const id = await containers.create(
      spec({ server: name('http'), command: ['streamableHttp'], port: 3001 }),
    );
    await containers.start(id);
    const before = (await containers.inspect(id))?.address ?? '';
    await containers.stop(id);
    await containers.start(id);

    assert.match(before, /^127\.0\.0\.1:\d+$/);
    assert.match((await containers.inspect(id))?.address ?? '', /^127\.0\.0\.1:\d+$/);
    await containers.remove(id);
  });

  test('a service in a container joins the servers’ network and reaches them there', async () => {
    const own = await containers.create(spec({ server: name('own'), network: 'none' }));
    const inside = bed.connect({
      managerRunsInContainer: true,
      ownContainer: own,
      network: `own-${bed.deploymentId}`,
    });
    await docker.getNetwork('none').disconnect({ Container: own });

    const id = await inside.create(spec({ server: name('inner'), command: ['streamableHttp'], port: 3001 }));
    await inside.start(id);

    const { NetworkSettings: settings, HostConfig: host } = await docker.getContainer(id).inspect();
    assert.equal(Object.keys(settings.Networks), [`own-${bed.deploymentId}`]);
    assert.not.ok(host.PortBindings?.['3001/tcp']);
    assert.match((await inside.inspect(id))?.address ?? '', /^\d+\.\d+\.\d+\.\d+:3001$/);
    const joined = await docker.getContainer(own).inspect();
    assert.ok(`own-${bed.deploymentId}` in joined.NetworkSettings.Networks);
    await containers.remove(id);
    await containers.remove(own);
    await docker.getNetwork(`own-${bed.deploymentId}`).remove();
  });

  test('a network that somebody removed is made again', async () => {
    const id = await containers.create(spec({ server: name('net') }));
    await docker.getNetwork(`svc-mcp-${bed.deploymentId}`).remove();

    await containers.start(id);

    assert.is(await statusOf(id), 'running');
    await containers.remove(id);
  });

  test('only containers of this deployment are listed', async () => {
    const other = bed.connect({ deploymentId: `${bed.deploymentId}x` });
    const id = await containers.create(spec({ server: name('mine') }));

    assert.ok((await containers.list()).some((facts) => facts.id === id));
    assert.not((await other.list()).some((facts) => facts.id === id));
    await containers.remove(id);
  });

  test('events are followed, and again after the connection broke', async () => {
    const through = bed.connect({ dockerHost: proxy.host });
    const events: ContainerEvent[] = [];
    let gaps = 0;
    const seen = (action: string, server: string) =>
      waitUntil(`${action} is seen`, () =>
        events.some((event) => event.action === action && event.server === server),
      );
    through.follow(
      (event) => events.push(event),
      () => gaps++,
      ended.signal,
    );
    await waitUntil('it follows', () => gaps === 1);

    const first = await containers.create(spec({ server: name('e1'), image: testImage('broken') }));
    await containers.start(first);
    await seen('die', name('e1'));
    assert.is(events.find(({ action }) => action === 'die')?.exitCode, 3);

    await proxy.cut();
    await waitUntil('the loss is told', () => gaps === 2);
    await proxy.restore();
    await waitUntil('the return is told', () => gaps === 3);
    await containers.remove(first);
    await seen('destroy', name('e1'));
  });

  test('lines are followed until the follower has enough', async () => {
    const id = await containers.create(
      spec({ server: name('follow'), command: ['streamableHttp'], port: 3001 }),
    );
    await containers.start(id);
    const enough = new AbortController();
    const lines: string[] = [];
    const following = containers.followLogs(id, 'both', (line) => lines.push(line), enough.signal);
    const post = async () =>
      fetch(`http://${(await containers.inspect(id))?.address}/mcp`, { method: 'POST' });

    await waitUntil('a line comes', async () => {
      await post().catch(() => {});
      return lines.some((line) => line.includes('Received MCP POST'));
    });
    enough.abort();
    await following;
    await containers.remove(id);
  });

  test('an engine that is away is told of at once, one that hangs within 2 s', async () => {
    const away = bed.connect({ dockerHost: 'unix:///nowhere/engine.sock' });
    assert.match((await away.problem()) ?? '', 'does not answer');
    assert.is(((await failureOf(away.list())) as { status?: number }).status, 503);

    const through = bed.connect({ dockerHost: proxy.host });
    assert.is(await through.problem(), undefined);
    proxy.hang();
    // Against a timer of the same process, so that a busy machine delays both alike.
    const late = new Promise<string>((resolve) => setTimeout(resolve, 2000, 'told too late'));
    assert.match((await Promise.race([through.problem(), late])) ?? '', 'does not answer');
    await proxy.restore();
  });
} else {
  test.skip('the test bed is not there', () => {});
}

test.run();
