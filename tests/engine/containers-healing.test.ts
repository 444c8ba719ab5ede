/** What happens to servers whose containers end: real images on a real engine. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ContainerServers, startContainerServers, timeouts } from '../support/container-servers.ts';
import { openTestbed } from '../support/testbed.ts';
import { failureOf } from '../support/upstream-fixture.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('servers whose containers end');
const bed = await openTestbed();

if (bed) {
  const { name } = bed;
  let servers: ContainerServers;
  const container = (base: string) => servers.container(base);
  const startOf = async (base: string) => (await container(base).inspect()).State.StartedAt;
  const isState = (base: string, state: string) =>
    waitUntil(`${base} is ${state}`, () => servers.service().upstreams.status(name(base))?.state === state, {
      limitMs: 5000,
    });

  test.before(async () => {
    servers = await startContainerServers(bed, ['everything']);
    await servers.add(servers.config('every'));
  });
  test.after(() => servers.close());

  test('the engine starts one again that has answered before', async () => {
    await waitUntil('it is told to', async () => {
      return (await container('every').inspect()).HostConfig.RestartPolicy?.Name === 'unless-stopped';
    });
  });

  test('one that is restarted, killed or removed by others is back at once, as one container', async () => {
    const blows = [
      () => container('every').restart({ t: 1 }),
      () => container('every').kill(),
      () => container('every').remove({ force: true }),
    ];
    for (const strike of blows) {
      await strike();
      await servers.answers('every');
      assert.equal(await servers.present('every'), [`svc-mcp-${name('every')} running`]);
    }
  });

  test('one that is killed comes back without being called', async () => {
    const before = await startOf('every');
    await container('every').kill();

    await waitUntil('it runs again', async () => (await startOf('every')) !== before);
    await isState('every', 'connected');
  });

  test('a call under way when it dies fails at once, and says how it ended', async () => {
    const work = { duration: 30, steps: 2 };
    const call = failureOf(servers.service().call(name('every'), 'trigger-long-running-operation', work));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const killedAt = performance.now();
    await container('every').kill();

    assert.match((await call).message, 'its container ended with exit code 137');
    assert.ok(performance.now() - killedAt < 1000);
    await servers.answers('every');
  });

  test('one that somebody stopped stays stopped, is idle, and starts with the next call', async () => {
    const { Id: id } = await container('every').inspect();
    await container('every').stop({ t: 1 });
    await isState('every', 'idle');
    await servers.isPresent('every', 'exited');

    assert.is(await servers.echo('every'), 'Echo: every');
    assert.is((await container('every').inspect()).Id, id);
  });

  test('a restart on request starts the same container again', async () => {
    const before = await container('every').inspect();

    assert.ok((await servers.service().upstreams.restart(name('every'))).length > 0);

    const after = await container('every').inspect();
    assert.is(after.Id, before.Id);
    assert.is.not(after.State.StartedAt, before.State.StartedAt);
  });

  test('an idle server is stopped and woken by a call, one start for all who call', async () => {
    await servers.add(servers.config('idle', { timeouts: timeouts(30_000, 1) }));
    await servers.isPresent('idle', 'exited');
    await isState('idle', 'idle');

    const both = await Promise.all([servers.echo('idle'), servers.echo('idle')]);

    assert.equal(both, ['Echo: idle', 'Echo: idle']);
  });

  test('a server over HTTP answers again, after each start on another port', async () => {
    const http = { transport: 'streamable_http', args: ['streamableHttp'], port: 3001 } as const;
    await servers.add(servers.config('http', http));
    assert.is(await servers.echo('http'), 'Echo: http');
    const lines = servers.service().upstreams.logs(name('http'), 50);
    assert.ok(lines.some((line) => line.includes('listening on port 3001')));

    await container('http').restart({ t: 1 });
    await servers.answers('http');
    await container('http').kill();
    await servers.answers('http');
  });
} else {
  test.skip('the test bed is not there', () => {});
}

test.run();
