/** Servers in containers as the rest of the service sees them: real images on a real engine. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ContainerServers, startContainerServers, timeouts } from '../support/container-servers.ts';
import { openTestbed, testImage } from '../support/testbed.ts';
import { failureOf } from '../support/upstream-fixture.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('servers in containers');
const bed = await openTestbed();

if (bed) {
  const { name } = bed;
  let servers: ContainerServers;
  const text = (base: string, tool: string, args = {}, sessionId = 'session') =>
    servers.service().callText(name(base), tool, args, { sessionId });
  const entities = (entity: string) => ({
    entities: [{ name: entity, entityType: 'thing', observations: [] }],
  });

  test.before(async () => {
    servers = await startContainerServers(bed, ['everything', 'filesystem', 'memory', 'broken', 'silent']);
  });
  test.after(() => servers.close());

  test('the real images answer over attach, with the command given and without', async () => {
    const { config, add } = servers;
    await Promise.all([
      add(config('files', { image: testImage('filesystem'), args: ['/tmp'] })),
      add(config('memory', { image: testImage('memory') })),
      add(config('every')),
    ]);

    assert.match(await text('files', 'list_allowed_directories'), '/tmp');
    assert.match(await text('memory', 'read_graph'), 'entities');
    assert.is(await servers.echo('every'), 'Echo: every');
    assert.equal(await servers.present('every'), [`svc-mcp-${name('every')} running`]);
  });

  test('a large answer comes through whole', async () => {
    const message = 'x'.repeat(3_000_000);

    assert.is(await text('every', 'echo', { message }), `Echo: ${message}`);
  });

  test('the service restarts, the container and what it knows do not', async () => {
    await text('memory', 'create_entities', entities('kept'));
    const before = await servers.container('memory').inspect();
    await servers.restartService();
    servers.service().upstreams.install(servers.config('memory', { image: testImage('memory') }));

    assert.match(await text('memory', 'read_graph'), 'kept');

    const after = await servers.container('memory').inspect();
    assert.equal([after.Id, after.State.StartedAt], [before.Id, before.State.StartedAt]);
  });

  test('what the service before asked is not taken for an answer to this one', async () => {
    servers.service().upstreams.install(servers.config('every'));
    const work = { duration: 1, steps: 1 };
    const call = servers.service().call(name('every'), 'trigger-long-running-operation', work);
    const failure = failureOf(call);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await servers.restartService();
    await failure;
    servers.service().upstreams.install(servers.config('every'));

    for (let round = 0; round < 20; round++) {
      assert.is(await servers.echo('every'), 'Echo: every');
      await new Promise((resolve) => setTimeout(resolve, 75));
    }
  });

  test('another config takes over without a gap, and its container gets the name', async () => {
    await servers.add(servers.config('swap'));
    const { Id: id } = await servers.container('swap').inspect();
    let failed = 0;
    let isOver = false;
    const load = (async () => {
      while (!isOver) {
        await servers.echo('swap').catch(() => failed++);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();

    await servers.add(servers.config('swap', { env: { COLOUR: 'blue' } }));
    await servers.isPresent('swap', 'running');
    await waitUntil('it has the name', async () => (await servers.container('swap').inspect()).Id !== id);
    isOver = true;
    await load;

    assert.is(failed, 0);
    assert.ok((await servers.container('swap').inspect()).Config.Env.includes('COLOUR=blue'));
  });

  test('a try-out is beside the one that serves; then they take turns, and no call fails', async () => {
    await servers.add(servers.config('turns'));
    let failed = 0;
    let isOver = false;
    const load = (async () => {
      while (!isOver) {
        await servers.echo('turns').catch(() => failed++);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    const green = servers.config('turns', { env: { COLOUR: 'green' } });

    const candidate = await servers.service().upstreams.prepare({ ...green, isTryOut: true });
    await servers.isPresent('turns', 'running', 'running');
    await candidate.commit();
    await servers.isPresent('turns', 'running');
    isOver = true;
    await load;

    assert.is(failed, 0);
    assert.ok((await servers.container('turns').inspect()).Config.Env.includes('COLOUR=green'));
  });

  test('a try-out that is discarded or does not start leaves nothing beside the one that serves', async () => {
    const { Id: id } = await servers.container('turns').inspect();
    const { upstreams } = servers.service();

    await (await upstreams.prepare({ ...servers.config('turns'), isTryOut: true })).discard();
    await failureOf(
      upstreams.prepare({ ...servers.config('turns', { image: testImage('broken') }), isTryOut: true }),
    );

    await servers.isPresent('turns', 'running');
    assert.is((await servers.container('turns').inspect()).Id, id);
    assert.is(await servers.echo('turns'), 'Echo: turns');
  });

  test('a config that does not start leaves the older one serving, and nothing behind', async () => {
    const { Id: id } = await servers.container('swap').inspect();

    const failure = await failureOf(servers.add(servers.config('swap', { image: testImage('broken') })));

    assert.match(failure.message, 'its container ended with exit code 3');
    assert.equal((failure as { details?: unknown }).details, {
      exit_code: 3,
      log_tail: ['FATAL: API_KEY is not set'],
    });
    await servers.isPresent('swap', 'running');
    assert.is((await servers.container('swap').inspect()).Id, id);
    assert.is(await servers.echo('swap'), 'Echo: swap');
  });

  test('a server that never answers is given up in time, and leaves nothing behind', async () => {
    const silent = servers.config('silent', { image: testImage('silent'), timeouts: timeouts(1000) });

    assert.is((await failureOf(servers.add(silent))).code, 'upstream_timeout');
    await servers.isPresent('silent');
  });

  test('an image that is nowhere is told of, and leaves nothing behind', async () => {
    const nowhere = servers.config('nowhere', { image: testImage('no-such-thing') });

    assert.match((await failureOf(servers.add(nowhere))).message, 'was not found in its registry');
    await servers.isPresent('nowhere');
  });

  test('a stateful server has a container for each session, which ends with it', async () => {
    const state = servers.config('state', { image: testImage('memory'), sessionMode: 'stateful' });
    await servers.add(state);
    await servers.isPresent('state');

    await text('state', 'create_entities', entities('private'), 'one');
    assert.match(await text('state', 'read_graph', {}, 'one'), 'private');
    assert.not.match(await text('state', 'read_graph', {}, 'two'), 'private');
    await servers.isPresent('state', 'running', 'running');

    servers.service().upstreams.endSession('one');
    await servers.isPresent('state', 'running');
  });

  test('a server that is removed takes its container with it', async () => {
    await servers.service().upstreams.remove(name('swap'));

    assert.equal(await servers.present('swap'), []);
  });
} else {
  test.skip('the test bed is not there', () => {});
}

test.run();
