/** Absence is no order: what becomes of servers whose config files are not there. */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryPins } from '../../support/memory-pins.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type RegistryFixture, stdio, withRegistry } from './registry-fixture.ts';

const test = suite('servers whose config files are not there');

async function withTwo(work: (fixture: RegistryFixture) => Promise<void>): Promise<void> {
  await withRegistry(async (fixture) => {
    await fixture.registry.start();
    await fixture.registry.register(stdio('one'));
    await fixture.registry.register(stdio('two'));
    await fixture.registry.reconcile();
    await work(fixture);
  });
}

async function empty({ directory }: RegistryFixture): Promise<void> {
  const away = `${directory}-emptying`;
  await rename(directory, away);
  for (const file of await readdir(away)) await rm(join(away, file));
  await rename(away, directory);
}

const names = ({ catalog }: RegistryFixture) => catalog.servers().map(({ name }) => name);
const warnings = ({ logged }: RegistryFixture) =>
  logged.filter(({ level, message }) => level === 'warn' && message.includes('CONFIGS_DIR'));

function assertAllServe(fixture: RegistryFixture, ...expected: string[]): void {
  assert.equal(names(fixture), expected);
  assert.equal([...fixture.upstreams.serving.keys()].sort(), expected);
  for (const name of expected) assert.equal(fixture.toolNames(name), ['echo']);
}

test('boot with an emptied folder: all servers go on, a warning is logged, and the files end it', () =>
  withTwo(async (fixture) => {
    const files = [await fixture.readConfig('one'), await fixture.readConfig('two')];
    await fixture.registry.close();
    await empty(fixture);

    const next = fixture.restartService();
    await next.registry.start();

    assertAllServe(next, 'one', 'two');
    assert.match(next.registry.folderProblem() ?? '', 'is empty and lacks the files of `one`, `two`');
    await next.registry.reconcile();
    assert.is(warnings(next).length, 1, 'one warning');
    await next.writeConfig('one', files[0]);
    await next.registry.reconcile();
    assertAllServe(next, 'one', 'two');
    assert.match(next.registry.folderProblem() ?? '', 'lacks the file of `two`');
    await next.writeConfig('two', files[1]);
    await next.registry.reconcile();
    assert.is(next.registry.folderProblem(), undefined);
    assertAllServe(next, 'one', 'two');
  }));

test('a folder that is emptied while the service runs removes nothing', () =>
  withTwo(async (fixture) => {
    await empty(fixture);
    await fixture.registry.reconcile();

    assertAllServe(fixture, 'one', 'two');
    assert.match(fixture.registry.folderProblem() ?? '', 'is empty');
  }));

test('a folder that is renamed away and back: a problem, and its end', () =>
  withTwo(async (fixture) => {
    const { directory, registry } = fixture;
    await rename(directory, `${directory}-away`);
    await waitUntil('the problem is shown', () => registry.folderProblem());
    assert.match(registry.folderProblem() ?? '', 'is missing or cannot be read');
    assertAllServe(fixture, 'one', 'two');

    await rename(`${directory}-away`, directory);
    await waitUntil('it is taken back', () => registry.folderProblem() === undefined);

    assertAllServe(fixture, 'one', 'two');
    assert.ok(
      fixture.upstreams.steps.every((step) => !/^(remove|stop) /.test(step)),
      'a server was taken away meanwhile',
    );
    assert.is(warnings(fixture).length, 1);
  }));

test('another folder that lacks files removes nothing, also when the service starts with it', () =>
  withTwo(async (fixture) => {
    const { directory } = fixture;
    const one = await fixture.readConfig('one');
    const put = async () => {
      await rename(directory, `${directory}-away`);
      const other = `${directory}-other`;
      await mkdir(other);
      await writeFile(join(other, 'one.json'), one ?? '');
      await rename(other, directory);
    };
    await put();
    await fixture.registry.reconcile();
    assert.match(fixture.registry.folderProblem() ?? '', 'is another one than before, or was away');
    assertAllServe(fixture, 'one', 'two');
    await fixture.registry.close();

    const next = fixture.restartService();
    await next.registry.start();

    assert.match(next.registry.folderProblem() ?? '', 'lacks the file of `two`');
    assertAllServe(next, 'one', 'two');
    await next.registry.deregister('two');
    await next.registry.reconcile();
    assert.is(next.registry.folderProblem(), undefined);
  }));

test('the only file, removed by hand, deregisters', () =>
  withRegistry(async (fixture) => {
    await fixture.registry.start();
    await fixture.registry.register(stdio('one'));
    await fixture.registry.reconcile();

    await rm(join(fixture.directory, 'one.json'));
    await fixture.registry.reconcile();

    assert.equal(names(fixture), []);
    assert.is(fixture.registry.folderProblem(), undefined);
  }));

test('registered while the folder is away: its file is written, and written again into the folder that is back', () =>
  withTwo(async (fixture) => {
    const { directory, registry } = fixture;
    await rename(directory, `${directory}-away`);
    await registry.reconcile();

    await registry.register(stdio('three'));
    await registry.reconcile();
    assert.ok(await fixture.readConfig('three'), 'its file is in the folder that is there now');
    assertAllServe(fixture, 'one', 'three', 'two');
    await rename(directory, `${directory}-under`);
    await rename(`${directory}-away`, directory);
    await registry.reconcile();
    await registry.reconcile();

    assert.ok(await fixture.readConfig('three'), 'its file is in the folder that is back');
    assert.is(registry.folderProblem(), undefined);
    assertAllServe(fixture, 'one', 'three', 'two');
  }));

test('registered while the folder is away, and the service starts anew once it is back', () =>
  withTwo(async (fixture) => {
    const { directory, registry } = fixture;
    await rename(directory, `${directory}-away`);
    await registry.reconcile();
    await registry.register(stdio('three'));
    await registry.reconcile();
    await registry.close();
    await rename(directory, `${directory}-under`);
    await rename(`${directory}-away`, directory);

    const next = fixture.restartService();
    await next.registry.start();
    await next.registry.reconcile();

    assert.ok(await next.readConfig('three'));
    assertAllServe(next, 'one', 'three', 'two');
    assert.is(next.registry.folderProblem(), undefined);
  }));

test('the same content registered again writes the file that is missed, and needs no right to do so', () =>
  withTwo(async (fixture) => {
    await empty(fixture);
    await fixture.registry.reconcile();
    const plain = { isAdministrator: false, replace: false };

    const answer = await fixture.registry.register(stdio('one'), plain);

    assert.is(answer.outcome, 'unchanged');
    assert.ok(await fixture.readConfig('one'));
    await fixture.registry.register(stdio('two'), plain);
    await fixture.registry.reconcile();
    assert.is(fixture.registry.folderProblem(), undefined);
  }));

test('a new server registered into an emptied folder leaves those that are missed as they are', () =>
  withTwo(async (fixture) => {
    await empty(fixture);
    await fixture.registry.reconcile();

    await fixture.registry.register(stdio('three'));
    await fixture.registry.reconcile();

    assertAllServe(fixture, 'one', 'three', 'two');
    assert.match(fixture.registry.folderProblem() ?? '', 'lacks the files of `one`, `two`');
  }));

test('two servers that are registered at once into a new folder are no problem', () =>
  withRegistry(async (fixture) => {
    await fixture.registry.start();
    const looks = [fixture.registry.reconcile(), fixture.registry.reconcile()];

    await Promise.all([
      ...looks,
      fixture.registry.register(stdio('one')),
      fixture.registry.register(stdio('two')),
    ]);
    await fixture.registry.reconcile();

    assert.equal(warnings(fixture), []);
    assertAllServe(fixture, 'one', 'two');
  }));

test('a server whose file is missed is deleted on request', () =>
  withTwo(async (fixture) => {
    await empty(fixture);
    await fixture.registry.reconcile();

    await fixture.registry.deregister('one');
    await fixture.registry.deregister('two');
    await fixture.registry.reconcile();

    assert.equal(names(fixture), []);
    assert.is(fixture.registry.folderProblem(), undefined);
  }));

test('servers that another process has deleted are not missed, though their folder is empty now', () =>
  withTwo(async (fixture) => {
    await empty(fixture);
    await fixture.catalog.remove('one');
    await fixture.catalog.remove('two');

    await fixture.registry.reconcile();

    assert.is(fixture.registry.folderProblem(), undefined);
    assert.equal([...fixture.upstreams.serving.keys()], []);
  }));

test('of a server whose file was removed by hand the container is stopped and kept; the file brings it back', async () => {
  const steps: string[] = [];
  const refuse = () => Promise.reject(new Error('not used here'));
  const containerStore = {
    stop: async (name: string) => void steps.push(`stop ${name}`),
    async remove(name: string) {
      steps.push(`remove ${name}`);
      return { containers: [], volumes: [] };
    },
    ...{ fit: refuse, data: refuse, inherit: refuse, beginReplacing: () => () => {} },
    status: (name: string) => ({ name, status: 'not found' as const, running: false, imageId: undefined }),
  };
  const pins = createMemoryPins();
  const images = { assertPossible: refuse, pull: refuse, prepare: refuse };
  const updates = { poll: async () => {}, check: refuse, pulled: refuse };
  const boxed = { name: 'boxed', transport: 'stdio', image: 'tool:1' };

  await withRegistry(
    async (fixture) => {
      const { registry, upstreams, writeConfig, toolNames, directory } = fixture;
      await registry.start();
      await writeConfig('boxed', boxed);
      await waitUntil('it is listed', () => toolNames('boxed')?.length === 1);
      await pins.set('boxed', { reference: 'tool:1', imageId: 'sha256:1', previous: undefined });
      await rm(join(directory, 'boxed.json'));
      await waitUntil('it is gone', () => toolNames('boxed') === undefined);
      await registry.reconcile();

      assert.equal(steps, ['stop boxed']);
      assert.is(upstreams.steps.at(-1), 'stop boxed');
      assert.ok(await pins.of('boxed'));
      await writeConfig('boxed', boxed);
      await waitUntil('it is back', () => toolNames('boxed')?.length === 1);
      assert.equal(steps, ['stop boxed']);
    },
    () => ({
      images,
      containerStore,
      pins,
      isOwner: () => true,
      earlier: { digestOf: refuse, restore: refuse },
      updates,
    }),
  );
});

test('a closed registry has ended its look at the files', () =>
  withTwo(async ({ registry, holdNextLook }) => {
    const release = holdNextLook();
    const ended: string[] = [];
    const looking = registry.reconcile().then(() => ended.push('look'));
    const closing = registry.close().then(() => ended.push('registry'));
    setTimeout(release, 50);
    await Promise.all([looking, closing]);

    assert.equal(ended, ['look', 'registry']);
  }));

test.run();
