/** Which container belongs to whom: a real engine and a real database. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServerConfig } from '../../lib/config/server-config.ts';
import { containerSpec } from '../../lib/containers/store/make-container.ts';
import { startFakeRegistry } from '../support/fake-registry.ts';
import { createKeeperFixture, type KeeperFixture, openTestbed, testImage } from '../support/testbed.ts';
import { serverConfig } from '../support/upstream-fixture.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('the container store');
const bed = await openTestbed();

if (bed) {
  const { containers, docker, name, present } = bed;
  let fixture: KeeperFixture;

  const config = (base: string, fields: Partial<ServerConfig> = {}) =>
    serverConfig({ name: name(base), image: testImage('broken'), ...fields });
  const container = (base: string) => `svc-mcp-${name(base)}`;
  const mine = async (base: string) => (await present()).filter((line) => line.startsWith(container(base)));
  const stored = async (base: string) => {
    const rows = await fixture.database.query<{ container_id: string }>(
      'select container_id from containers where server = $1',
      [name(base)],
    );
    return rows.map((row) => row.container_id);
  };

  test.before(async () => {
    await containers.pull(testImage('broken'), () => {}, new AbortController().signal);
    await containers.pull(testImage('everything'), () => {}, new AbortController().signal);
    fixture = await createKeeperFixture(containers, { secretsOf: async () => ['API_KEY'] });
  });
  test.after(async () => {
    await fixture.close();
    await bed.close();
  });

  test('makes one container for a server, however many ask at once, and stores its id', async () => {
    const facts = await Promise.all(
      Array.from({ length: 10 }, () => fixture.containerStore.ensure(config('one'))),
    );

    assert.is(new Set(facts.map(({ id }) => id)).size, 1);
    assert.equal(await mine('one'), [`${container('one')} created`]);
    assert.equal(await stored('one'), [facts[0]?.id]);
  });

  test('gives the same container again after a restart of the service', async () => {
    const before = await fixture.containerStore.ensure(config('same'));

    const containerStore = await fixture.restart();

    assert.is((await containerStore.ensure(config('same'))).id, before.id);
  });

  test('makes another one when a secret has changed, and removes the one before once that answers', async () => {
    const before = await fixture.containerStore.ensure(config('secret', { env: { TOKEN: 'old' } }));

    const after = await fixture.containerStore.acquire(config('secret', { env: { TOKEN: 'new' } }));

    assert.is.not(after.facts.id, before.id);
    assert.is((await containers.inspect(after.facts.id))?.name, container('secret'));
    assert.match((await containers.inspect(before.id))?.name ?? '', '--old-');
    after.answered();
    await waitUntil('the one before is gone', async () => (await mine('secret')).length === 1);
    assert.equal(await stored('secret'), [after.facts.id]);
    await after.release('let-go');
  });

  test('one whose successor is given up before it answers is there again, under its name', async () => {
    const made = config('failing', { env: { TOKEN: 'old' } });
    const before = await fixture.containerStore.ensure(made);
    const changed = { ...made, env: { TOKEN: 'wrong' } };
    const after = await fixture.containerStore.acquire(changed);

    await after.release('stop');

    assert.equal(await mine('failing'), [`${container('failing')} created`]);
    assert.is((await fixture.containerStore.ensure(changed)).id, before.id);
    assert.match(fixture.containerStore.problem(made.name) ?? '', 'did not answer');
    fixture.containerStore.beginReplacing(made.name, false)();
    assert.is.not((await fixture.containerStore.ensure(changed)).id, before.id);
    assert.is(fixture.containerStore.problem(made.name), undefined);
  });

  test('leaves a container that is in use alone, and gives its name on once it is not', async () => {
    const older = await fixture.containerStore.acquire(config('swap'));
    const newer = await fixture.containerStore.acquire(config('swap'));

    assert.is.not(newer.facts.id, older.facts.id);
    assert.is((await mine('swap')).length, 2);
    await older.release('discard');
    assert.equal(await mine('swap'), [`${container('swap')} created`]);
    assert.is((await containers.inspect(newer.facts.id))?.name, container('swap'));
    await newer.release('let-go');
  });

  test('keeps what is let go, stops what is stopped, removes what is discarded', async () => {
    const running = config('release', { image: testImage('everything') });
    const held = await fixture.containerStore.acquire(running);
    await containers.start(held.facts.id);

    await held.release('let-go');
    assert.equal(await mine('release'), [`${container('release')} running`]);
    await (await fixture.containerStore.acquire(running)).release('stop');
    assert.equal(await mine('release'), [`${container('release')} exited`]);
    await (await fixture.containerStore.acquire(running)).release('discard');
    assert.equal(await mine('release'), []);
    assert.equal(await stored('release'), []);
  });

  test('a leftover of ours with the name, of which nothing is stored, gives way', async () => {
    const leftover = await containers.create(
      containerSpec(config('left'), { name: container('left'), sessionId: undefined, configHash: 'x' }),
    );

    const facts = await fixture.containerStore.ensure(config('left'));

    assert.is.not(facts.id, leftover);
    assert.equal(await mine('left'), [`${container('left')} created`]);
  });

  test('one that somebody removed is made again', async () => {
    const before = await fixture.containerStore.ensure(config('gone'));
    await docker.getContainer(before.id).remove();

    const after = await fixture.containerStore.ensure(config('gone'));

    assert.is.not(after.id, before.id);
    assert.equal(await stored('gone'), [after.id]);
  });

  test('an image that somebody removed is pulled again; a container that is there does not need it', async () => {
    const registry = await startFakeRegistry(1000);
    const made = config('image', { image: registry.image });
    await fixture.containerStore.ensure(made);
    await fixture.containerStore.remove(made.name);
    await docker.getImage(registry.image).remove();

    const facts = await fixture.containerStore.ensure(made);
    assert.is((await containers.image(registry.image))?.id, facts.imageId);

    await registry.close();
    await docker.getImage(registry.image).remove({ force: true });
    assert.is((await fixture.containerStore.ensure(made)).id, facts.id);
    await fixture.containerStore.remove(made.name);
  });

  test('another image under the same tag leaves the container as it is, pinned or not', async () => {
    const registry = await startFakeRegistry(1000);
    const made = config('tag', { image: registry.image });
    const before = await fixture.containerStore.ensure(made);
    registry.renew();
    await containers.pull(registry.image, () => {}, new AbortController().signal);

    assert.is((await fixture.containerStore.ensure(made)).id, before.id);
    await fixture.containerStore.pinFound(made);
    const kept = `svc-mcp-kept/${bed.deploymentId}/${made.name}`;
    const tags = (await docker.getImage(before.imageId).inspect()).RepoTags;
    assert.ok(
      tags.some((tag) => tag.startsWith(`${kept}:`)),
      tags.join(),
    );
    await docker.getContainer(before.id).remove();
    const again = await fixture.containerStore.ensure(made);
    assert.is.not(again.id, before.id);
    assert.is(again.imageId, before.imageId);

    await fixture.containerStore.remove(made.name);
    const left = (await docker.getImage(before.imageId).inspect()).RepoTags;
    assert.equal(left, [], 'nobody keeps it any more');
    await docker.getImage(before.imageId).remove({ force: true });
    await docker.getImage(registry.image).remove();
    await registry.close();
  });

  test('each session has a container, removed with the server', async () => {
    const one = await fixture.containerStore.ensure(config('sessions'), 'one');
    const two = await fixture.containerStore.ensure(config('sessions'), 'two');

    assert.is.not(one.id, two.id);
    assert.is(one.sessionId, 'one');
    await fixture.containerStore.remove(name('sessions'));
    assert.equal(await mine('sessions'), []);
    assert.equal(await stored('sessions'), []);
  });

  test('says what the engine says, and tells when that changes', async () => {
    const { containerStore, changed } = fixture;
    const is = (status: string) =>
      waitUntil(`it is ${status}`, () => containerStore.status(name('status')).status === status);
    assert.is(containerStore.status(name('status')).status, 'not found');

    const held = await containerStore.acquire(config('status', { image: testImage('everything') }));
    await containers.start(held.facts.id);
    await is('running');
    assert.is(containerStore.status(name('status')).name, container('status'));
    assert.ok(containerStore.status(name('status')).running);
    await docker.getContainer(held.facts.id).pause();
    await is('paused');
    await docker.getContainer(held.facts.id).unpause();
    await docker.getContainer(held.facts.id).kill();
    await is('exited');
    await held.release('discard');
    await is('not found');

    assert.ok(changed.filter((server) => server === name('status')).length >= 4);
  });

  test('shows what a server wrote, without the values of its secrets', async () => {
    const { id } = await fixture.containerStore.ensure(config('logs'));
    await containers.start(id);

    const lines = await waitUntil('it has written', async () => {
      const found = await fixture.containerStore.logs(name('logs'), 10);
      return found.length > 0 && found;
    });

    assert.equal(lines, ['FATAL: *** is not set']);
  });

  test('reaps what nobody needs, and nothing else', async () => {
    const containerStore = await fixture.restart();
    const kept = await containerStore.acquire(config('kept'));
    await (await containerStore.acquire(config('listed'))).release('let-go');
    await (await containerStore.acquire(config('unlisted'))).release('let-go');
    await (await containerStore.acquire(config('living'), 'yes')).release('let-go');
    await (await containerStore.acquire(config('living'), 'no')).release('let-go');
    await containerStore.ensure(config('promised'));
    const orphan = containerSpec(config('orphan'), {
      name: container('orphan'),
      sessionId: undefined,
      configHash: 'x',
    });
    await containers.create(orphan);

    const listed = new Set([name('listed'), name('living'), name('orphan')]);
    await containerStore.reap(listed, async (sessionId) => sessionId === 'yes');

    assert.equal(await mine('unlisted'), []);
    assert.equal(await mine('orphan'), []);
    assert.is((await mine('living')).length, 1);
    assert.is((await mine('listed')).length, 1);
    assert.is((await mine('kept')).length, 1);
    assert.is((await mine('promised')).length, 1);
    await kept.release('let-go');
  });
} else {
  test.skip('the test bed is not there', () => {});
}

test.run();
