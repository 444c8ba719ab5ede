/** What servers keep in their containers, on a real engine: volumes, and files in the writable layer. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServerConfig } from '../../lib/config/server-config.ts';
import type { LeasedContainer } from '../../lib/containers/store/container-store.ts';
import { imageWithVolume } from '../support/images-with-volumes.ts';
import { createKeeperFixture, type KeeperFixture, openTestbed, testImage } from '../support/testbed.ts';
import { failureOf, serverConfig } from '../support/upstream-fixture.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('what servers keep in containers');
const bed = await openTestbed();

if (bed) {
  const { containers, deploymentId, docker, name } = bed;
  const repository = `svc-test/${name('volume')}`;
  let fixture: KeeperFixture;
  let image = '';

  const config = (base: string, fields: Partial<ServerConfig> = {}) =>
    serverConfig({ name: name(base), image: testImage('memory'), ...fields });
  const volumesOf = async (server: string) =>
    (await containers.volumes()).filter((volume) => volume.server === server).map((volume) => volume.name);
  const write = async (id: string, path: string) => {
    // The images have no shell.
    const script = `require('fs').writeFileSync(${JSON.stringify(path)}, 'kept')`;
    const exec = await docker.getContainer(id).exec({ Cmd: ['node', '-e', script], AttachStdout: true });
    const stream = await exec.start({});
    stream.resume();
    await new Promise((resolve) => stream.on('end', resolve));
    assert.is((await exec.inspect()).ExitCode, 0);
  };
  const holds = async (id: string, path: string) =>
    docker
      .getContainer(id)
      .infoArchive({ path })
      .then(
        (answer) => {
          // Nobody reads it, and its connection would stay.
          (answer as unknown as NodeJS.ReadableStream).resume();
          return true;
        },
        () => false,
      );
  const everyServer = async (but?: string) => {
    const [made, kept] = await Promise.all([containers.list(), containers.volumes()]);
    return new Set([...made, ...kept].map(({ server }) => server).filter((server) => server !== but));
  };
  const run = async (wanted: ServerConfig, sessionId?: string): Promise<LeasedContainer> => {
    const held = await fixture.containerStore.acquire(wanted, sessionId);
    await containers.start(held.facts.id);
    held.answered();
    return held;
  };

  test.before(async () => {
    await containers.pull(testImage('memory'), () => {}, new AbortController().signal);
    fixture = await createKeeperFixture(containers);
    image = await imageWithVolume(docker, 'memory', repository);
  });
  test.after(async () => {
    await fixture.close();
    await bed.close();
    const images = await docker.listImages({ filters: { reference: [repository] } });
    for (const { Id } of images) await docker.getImage(Id).remove({ force: true });
  });

  test('an image’s volume has a name of the server, and outlives config, image and container', async () => {
    const first = await run(config('image-volume', { image }));
    await write(first.facts.id, '/data/a');
    await first.release('stop');

    const other = await imageWithVolume(docker, 'memory', repository, { tag: '2', label: 'two' });
    const second = await run(config('image-volume', { image: other, args: ['--changed'] }));

    assert.is.not(second.facts.id, first.facts.id);
    assert.ok(await holds(second.facts.id, '/data/a'));
    assert.equal(
      second.facts.mounts.map(({ source }) => source),
      await volumesOf(name('image-volume')),
    );
    assert.match(
      (await volumesOf(name('image-volume')))[0] ?? '',
      /^svc-mcp-image-volume-[0-9a-f]+-[0-9a-f]{8}$/,
    );
    await waitUntil(
      'the first is gone',
      async () => (await containers.inspect(first.facts.id)) === undefined,
    );
    await second.release('discard');
    assert.equal((await fixture.containerStore.remove(name('image-volume'))).volumes.length, 1);
    assert.equal(await volumesOf(name('image-volume')), []);
  });

  test('volumes of the config: its own are kept until the server is removed, others are never touched', async () => {
    const foreign = name('foreign');
    await docker.createVolume({ Name: foreign });
    const volumes = [
      { path: '/data', source: undefined, readOnly: false },
      { path: '/other', source: foreign, readOnly: false },
      { path: '/host', source: '/usr/share', readOnly: true },
    ];
    const held = await run(config('own', { volumes }));
    await write(held.facts.id, '/data/a');

    const { mounts } = held.facts;
    assert.equal(mounts.map(({ type, path, readOnly }) => `${type} ${path} ${readOnly}`).sort(), [
      'bind /host true',
      'volume /data false',
      'volume /other false',
    ]);
    const kept = await fixture.containerStore.data(name('own'));
    assert.equal(
      kept.volumes.map(({ path }) => path),
      ['/data'],
    );
    assert.equal(kept.mounts.map(({ path }) => path).sort(), ['/host', '/other']);
    assert.is(kept.layer, undefined, 'the folders that the engine made for mounts are no data');
    await held.release('discard');
    assert.is((await volumesOf(name('own'))).length, 1, 'a container that goes takes no volume with it');
    const { volumes: removed } = await fixture.containerStore.remove(name('own'));
    assert.equal(removed.length, 1);
    await docker.getVolume(foreign).inspect();
    await docker.getVolume(foreign).remove();
  });

  test('a try-out has volumes of its own, and leaves nothing', async () => {
    const wanted = config('tried', { image });
    const serving = await run(wanted);
    await write(serving.facts.id, '/data/a');

    const tried = await run({ ...wanted, args: ['--new'], isTryOut: true });

    assert.is.not(tried.facts.id, serving.facts.id);
    assert.not.ok(await holds(tried.facts.id, '/data/a'));
    assert.is((await volumesOf(wanted.name)).length, 2);
    await tried.release('discard');
    assert.equal(
      await volumesOf(wanted.name),
      serving.facts.mounts.map(({ source }) => source),
    );
    await serving.release('let-go');
    assert.is((await fixture.containerStore.ensure(wanted)).id, serving.facts.id);
  });

  test('what a try-out left in a crash is reaped, and nothing of the server', async () => {
    const wanted = config('crashed', { image });
    const serving = await run(wanted);
    await (await run({ ...wanted, isTryOut: true })).release('let-go');

    const containerStore = await fixture.restart();
    const removed = await containerStore.reap(await everyServer());

    assert.is(removed.length, 1);
    assert.match(removed[0] ?? '', '--try-');
    assert.equal(
      await volumesOf(wanted.name),
      serving.facts.mounts.map(({ source }) => source),
    );
  });

  test('two containers are never on one server’s data', async () => {
    const wanted = config('twice', { image });
    const held = await run(wanted);

    const failure = await failureOf(fixture.containerStore.acquire(wanted));

    assert.is(failure.code, 'conflict');
    assert.match(failure.message, 'no second one may be on its data');
    await held.release('let-go');
  });

  test('sessions have volumes apart, which go when the session is over', async () => {
    const wanted = config('apart', { image, sessionMode: 'stateful' });
    const one = await run(wanted, 'one');
    await write(one.facts.id, '/data/a');
    const two = await run(wanted, 'two');
    assert.not.ok(await holds(two.facts.id, '/data/a'));

    await one.release('discard');
    const again = await run(wanted, 'one');
    assert.ok(await holds(again.facts.id, '/data/a'), 'its session goes on');
    await again.release('let-go');
    await two.release('let-go');
    await fixture.containerStore.reap(await everyServer(), async (id) => id === 'two');

    assert.equal(
      await volumesOf(wanted.name),
      two.facts.mounts.map(({ source }) => source),
    );
  });

  test('volumes without names, of an earlier version’s container, are carried over by what they are called', async () => {
    const wanted = config('upgraded', { image });
    const made = await fixture.containerStore.ensure(wanted);
    // As it was made before: the same hash and labels, no mounts of ours, no pin.
    const info = await docker.getContainer(made.id).inspect();
    await fixture.containerStore.remove(wanted.name);
    const { 'svc-mcp.image': _, ...labels } = info.Config.Labels;
    const old = await docker.createContainer({
      name: info.Name.slice(1),
      Image: image,
      Labels: labels,
      OpenStdin: true,
      HostConfig: { Init: true },
    });
    await fixture.database.query(
      'insert into containers (container_id, server, session_id, config_hash) values ($1, $2, $3, $4)',
      [old.id, wanted.name, '', labels['svc-mcp.config']],
    );
    const containerStore = await fixture.restart();
    await old.start();
    await write(old.id, '/data/a');

    assert.is((await containerStore.ensure(wanted)).id, old.id, 'an upgrade makes nothing anew');
    await containerStore.pinFound(wanted);
    const stored = await fixture.database.query('select image_id from server_images where server = $1', [
      wanted.name,
    ]);
    assert.equal(stored, [{ image_id: made.imageId }]);

    const after = await containerStore.acquire({ ...wanted, args: ['--changed'] });
    assert.is.not(after.facts.id, old.id);
    assert.ok(await holds(after.facts.id, '/data/a'));
    const unnamed = after.facts.mounts[0]?.source ?? '';
    assert.match(unnamed, /^[0-9a-f]{64}$/);
    await after.release('let-go');
    assert.equal((await containerStore.remove(wanted.name)).volumes, [unnamed]);
    assert.is(await containers.volume(unnamed), undefined);
  });

  test('a container with data in its layer stays when its config or a secret changes, and says so', async () => {
    const wanted = config('layer', { env: { TOKEN: 'old' } });
    const held = await run(wanted);
    await write(held.facts.id, '/data/memory.json');
    await held.release('let-go');
    const changed = { ...wanted, env: { TOKEN: 'new' } };

    assert.equal((await fixture.containerStore.fit(changed)).atRisk, {
      paths: ['/data/memory.json'],
      count: 1,
    });
    assert.is((await fixture.containerStore.ensure(changed)).id, held.facts.id);
    assert.match(fixture.containerStore.problem(wanted.name) ?? '', '/data/memory.json');
    assert.match(fixture.containerStore.problem(wanted.name) ?? '', '--discard-data');

    assert.is((await fixture.containerStore.ensure(wanted)).id, held.facts.id);
    assert.is(fixture.containerStore.problem(wanted.name), undefined);
    const end = fixture.containerStore.beginReplacing(wanted.name, true);
    const after = await fixture.containerStore.acquire(changed);
    assert.is.not(after.facts.id, held.facts.id);
    end();
    await after.release('let-go');
  });

  test('a key of another installation keeps what is the same, and tells what is not', async () => {
    const wanted = config('moved', { image, env: { TOKEN: 'secret' }, args: ['--a'], user: '1000' });
    const made = await fixture.containerStore.ensure(wanted);

    const elsewhere = await fixture.restart({ hashKey: 'another key' });

    assert.is((await elsewhere.fit(wanted)).container, 'fits');
    assert.is((await elsewhere.ensure(wanted)).id, made.id);
    const others: Partial<ServerConfig>[] = [
      { env: { TOKEN: 'another' } },
      { args: ['--b'] },
      { user: '0' },
      { network: 'none' },
      { readOnly: true },
      { limits: { ...wanted.limits, memoryMb: 64 } },
      { limits: { ...wanted.limits, cpus: 0.5 } },
      { shmMb: 128 },
      { capabilities: ['NET_RAW'] },
      { entrypoint: ['node'] },
      { volumes: [{ path: '/more', source: undefined, readOnly: false }] },
      { volumes: [{ path: '/data', source: undefined, readOnly: true }] },
    ];
    for (const changes of others) {
      const { container } = await elsewhere.fit({ ...wanted, ...changes });
      assert.is(container, 'other', JSON.stringify(changes));
    }
  });

  test('kept volumes that another image wrote to are not given to a server of the same name', async () => {
    const wanted = config('strange', { image });
    const held = await run(wanted);
    await held.release('discard');
    const repository2 = `svc-test/${name('volume')}-other`;
    const other = { ...wanted, image: await imageWithVolume(docker, 'memory', repository2) };

    const failure = await failureOf(fixture.containerStore.ensure(other));

    assert.is(failure.code, 'data_at_risk');
    assert.equal((await fixture.containerStore.fit(other)).strangePaths, ['/data']);
    const takeBack = await fixture.containerStore.inherit(other);
    await fixture.containerStore.ensure(other);
    await takeBack();
    assert.equal((await fixture.containerStore.fit(other)).strangePaths, ['/data']);
    await fixture.containerStore.remove(wanted.name);
    await docker.getImage(other.image).remove({ force: true });
  });

  test('a volume of that name that is somebody else’s is left alone; ours has our mark', async () => {
    const wanted = config('taken', { image });
    await fixture.containerStore.ensure(wanted);
    const [volume = ''] = await volumesOf(wanted.name);
    await fixture.containerStore.remove(wanted.name);
    await docker.createVolume({ Name: volume });

    await fixture.containerStore.ensure(wanted);

    const [own = ''] = await volumesOf(wanted.name);
    assert.is(own, `${volume}-${deploymentId.slice(0, 8)}`);
    assert.is((await fixture.containerStore.data(wanted.name)).volumes[0]?.volume, own);
    await fixture.containerStore.remove(wanted.name);
    await docker.getVolume(volume).inspect();
    await docker.getVolume(volume).remove();
  });

  test('of a server that is not listed all is kept while it has a pin, stopped, and goes without', async () => {
    const wanted = config('unlisted', { image });
    const held = await run(wanted);
    await fixture.containerStore.pinFound(wanted);
    await held.release('let-go');
    const containerStore = await fixture.restart();
    const listed = await everyServer(wanted.name);

    assert.equal(await containerStore.reap(listed), []);

    assert.is((await containers.inspect(held.facts.id))?.status, 'exited');
    assert.is((await volumesOf(wanted.name)).length, 1);
    await fixture.database.query('delete from server_images where server = $1', [wanted.name]);
    assert.equal((await containerStore.reap(listed)).length, 2);
    assert.is(await containers.inspect(held.facts.id), undefined);
    assert.equal(await volumesOf(wanted.name), []);
  });

  test('what a registry calls the image is written down, so that it can be had again', async () => {
    const wanted = config('removed', { pull: 'always' });
    const made = await fixture.containerStore.ensure(wanted);
    await fixture.containerStore.pinFound(wanted);
    const rows = await fixture.database.query<{ digest: string }>(
      'select name as digest from image_digests where image_id = $1',
      [made.imageId],
    );
    assert.match(rows[0]?.digest ?? '', '/memory@sha256:');
  });
} else {
  test.skip('the test bed is not there', () => {});
}

test.run();
