/**
 * Whatever others do to a server's container, under a steady load of calls: its tools stay listed, calls succeed again
 * soon after the container can answer, and there is never a second container. `LONG=1`: fifty rounds instead of five.
 */
import type Docker from 'dockerode';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { healedWithinMs, openLoadedContainer } from '../support/loaded-container.ts';
import { manage, readServer, replaceTools } from '../support/manager-api.ts';
import { openSession, type PlainSession } from '../support/mcp-client.ts';
import type { RunningService } from '../support/run-service.ts';
import { startLoad } from '../support/steady-load.ts';
import { testImage } from '../support/testbed.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('containers that others restart, kill and remove');
const services = await openContainerServices();
const withEngine = services ? test : test.skip;
const rounds = process.env.LONG === '1' ? 50 : 5;
const server = services?.name('load') ?? 'load';
const tool = `${server}__echo`;
let service: RunningService;
let session: PlainSession;

test.before(async () => {
  if (services) ({ service, session } = await openLoadedContainer(services, server));
});

test.after(() => services?.close());

async function container(): Promise<Docker.Container> {
  const [found, ...others] = (await services?.containersOf(server)) ?? [];
  assert.equal(others, [], 'a second container');
  if (!services || !found) throw new Error('The server has no container.');
  return services.docker.getContainer(found.id);
}

async function isListed(): Promise<boolean> {
  const { body } = await session.request('tools/list');
  return body.result.tools.length === 1;
}

const blows: Readonly<Record<string, (container: Docker.Container) => Promise<unknown>>> = {
  restarted: (one) => one.restart({ t: 1 }),
  killed: (one) => one.kill(),
  removed: (one) => one.remove({ force: true }),
};

for (const [what, strike] of Object.entries(blows)) {
  withEngine(`${what} by others: listed all the while, called again soon, ${rounds} rounds`, async () => {
    const load = startLoad(session, tool, { message: 'steady' });
    const healedMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await strike(await container());
      const struckAt = performance.now();
      await waitUntil(
        `calls succeed after it was ${what}`,
        async () => {
          assert.ok(await isListed(), 'its tools were not listed');
          return load.lastSuccess() > struckAt;
        },
        { limitMs: healedWithinMs, everyMs: 50 },
      );
      healedMs.push(load.lastSuccess() - struckAt);
    }
    await load.stop();

    assert.equal(load.broken, []);
    const present = await waitUntil('there is one', async () => {
      const all = (await services?.containersOf(server)) ?? [];
      return all.length === 1 ? all : undefined;
    });
    assert.equal(
      present.map(({ name, state }) => `${name} ${state}`),
      [`svc-mcp-${server} running`],
    );
    const worst = Math.round(Math.max(...healedMs));
    console.log(
      `  ${what}: ${load.counts.succeeded} calls, ${load.counts.failed} failed, healed in ${worst} ms at worst`,
    );
  });
}

withEngine('stopped by hand it stays stopped, is shown so, and starts with the next call', async () => {
  await (await container()).stop({ t: 1 });

  await waitUntil('it is shown', async () => (await readServer(service, server)).status === 'exited');
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  assert.is((await readServer(service, server)).status, 'exited');
  assert.ok(await isListed());

  const { body } = await session.request('tools/call', { name: tool, arguments: { message: 'wake up' } });
  assert.equal(body.result.content, [{ type: 'text', text: 'Echo: wake up' }]);
  assert.is((await readServer(service, server)).status, 'running');
});

withEngine('paused its calls time out without harm, and it goes on', async () => {
  const paused = services?.name('paused') ?? '';
  const document = { name: paused, image: testImage('everything'), transport: 'stdio' };
  await manage(service, 'POST', '/api/servers', { ...document, timeouts: { call_ms: 1_000 } });
  await replaceTools(service, 'svc-global', [tool, `${paused}__echo`]);
  const [before] = (await services?.containersOf(paused)) ?? [];
  const call = async () =>
    (await session.request('tools/call', { name: `${paused}__echo`, arguments: { message: 'later' } })).body;

  await services?.docker.getContainer(before?.id ?? '').pause();
  await waitUntil('it is shown', async () => (await readServer(service, paused)).status === 'paused');
  const timedOut = await call();
  await services?.docker.getContainer(before?.id ?? '').unpause();

  assert.is(timedOut.result.isError, true);
  assert.match(timedOut.result.content[0].text, 'did not answer within 1 s');
  assert.equal((await call()).result.content, [{ type: 'text', text: 'Echo: later' }]);
  assert.equal(
    (await services?.containersOf(paused))?.map(({ id }) => id),
    [before?.id],
  );
});

withEngine('an idle one is stopped and woken by the first call; callers share one start', async () => {
  const idle = services?.name('idle') ?? '';
  const document = { name: idle, image: testImage('memory'), transport: 'stdio' };
  await manage(service, 'POST', '/api/servers', { ...document, timeouts: { idle_stop_seconds: 1 } });
  await replaceTools(service, 'svc-global', [tool, `${idle}__read_graph`]);
  await waitUntil('it is stopped', async () => (await readServer(service, idle)).status === 'exited');

  const calls = Array.from({ length: 5 }, () =>
    session.request('tools/call', { name: `${idle}__read_graph` }),
  );

  for (const { body } of await Promise.all(calls)) assert.not(body.result.isError, JSON.stringify(body));
  assert.is((await services?.containersOf(idle))?.length, 1);
});

withEngine('a stateful one gets a container for each session, which ends with it', async () => {
  const apart = services?.name('apart') ?? '';
  const document = { name: apart, image: testImage('memory'), transport: 'stdio', session_mode: 'stateful' };
  await manage(service, 'POST', '/api/servers', { ...document, limits: { sessions: 2 } });
  await replaceTools(service, 'svc-global', [tool, `${apart}__read_graph`, `${apart}__create_entities`]);
  const [one, two, three] = [1, 2, 3].map(() => openSession(service.groupUrl()));
  const callOf = async (which: Promise<PlainSession> | undefined, name: string, args: object = {}) =>
    (await (await which)?.request('tools/call', { name: `${apart}__${name}`, arguments: args }))?.body;

  const entities = [{ name: 'Ada', entityType: 'person', observations: [] }];
  await callOf(one, 'create_entities', { entities });

  assert.equal((await callOf(one, 'read_graph')).result.structuredContent.entities.length, 1);
  assert.equal((await callOf(two, 'read_graph')).result.structuredContent.entities.length, 0);
  assert.match(JSON.stringify(await callOf(three, 'read_graph')), /sessions/);
  assert.is((await services?.containersOf(apart))?.length, 2);
  await (await one)?.delete();
  await waitUntil('its container is gone', async () => (await services?.containersOf(apart))?.length === 1);
});

test.run();
