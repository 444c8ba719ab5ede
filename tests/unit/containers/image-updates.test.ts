import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseServerConfig } from '../../../lib/config/parse-server-config.ts';
import { createImageUpdates } from '../../../lib/containers/images/image-updates.ts';
import { Failure } from '../../../lib/failure.ts';
import { createMemoryAvailableUpdates, createMemoryDigests } from '../../support/memory-available-updates.ts';
import { createMemoryPins } from '../../support/memory-pins.ts';
import { createRecordingLog } from '../../support/recording-log.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('newer images of servers');

const hour = 3_600_000;
const digest = (of: string) => `sha256:${of.repeat(64)}`;

interface World {
  /** By id: the digest that the registry `a` has given it; null: it was built here. */
  readonly images?: Record<string, string | null>;
  readonly config?: Record<string, unknown>;
  readonly everyHours?: number;
}

/** The server `boxed`, made from image `one` of tag `a:1`, with a clock and a registry that the test sets. */
async function world({ images = {}, config = {}, everyHours = 24 }: World = {}) {
  const { log, logged } = createRecordingLog();
  const known = new Map(Object.entries({ one: digest('1'), two: digest('2'), ...images }));
  const state = { now: 0, tag: 'one', registry: digest('1') as string | Error | Promise<string> };
  const told: string[] = [];
  const asked: string[] = [];
  const pins = createMemoryPins();
  const availableUpdates = createMemoryAvailableUpdates(() => state.now);
  const server = (name: string) => ({
    name,
    config: parseServerConfig({ name, transport: 'stdio', image: 'a:1', ...config }),
  });
  const boxed = server('boxed');
  await pins.set('boxed', { reference: boxed.config.image ?? '', imageId: 'one', previous: undefined });
  const updates = createImageUpdates({
    containers: {
      async image(image) {
        const id = known.has(image) ? image : state.tag;
        const of = known.get(id);
        return { id, ports: [], volumes: [], digests: of ? [`a@${of}`] : [] };
      },
      async registryDigest(image) {
        asked.push(image);
        const answer = await state.registry;
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    ...{ pins, availableUpdates, log, everyHours, digests: createMemoryDigests() },
    onAvailableUpdate: (name) => void told.push(name),
  });
  return {
    ...{ state, updates, pins, availableUpdates, asked, told, logged, boxed, server },
    availableUpdate: () => availableUpdates.rows.get('boxed')?.availableUpdate,
    look: () => updates.poll([boxed]),
    /** After a look that asks the registry. */
    asksNow: async (times = 1) => {
      const before = asked.length;
      await updates.poll([boxed]);
      await waitUntil('the registry was asked', () => asked.length === before + times);
      const askAt = () => availableUpdates.rows.get('boxed')?.askAt ?? 0;
      await waitUntil('its answer is stored', () => askAt() > state.now);
    },
  };
}

test('the same image is no news', async () => {
  const { look, availableUpdate, told } = await world();

  await look();

  assert.equal([availableUpdate(), told], [undefined, []]);
});

test('another image of the tag on this engine is offered, and told once', async () => {
  const { state, look, availableUpdate, told, logged } = await world();
  Object.assign(state, { tag: 'two', now: 5 });

  await look();
  state.now = 10;
  await look();

  assert.equal(availableUpdate(), {
    ...{ reference: 'a:1', oldDigest: digest('1'), newDigest: digest('2') },
    seenAt: new Date(5),
  });
  assert.equal(told, ['boxed']);
  assert.equal(
    logged.map(({ message }) => message),
    ['There is a newer image; the server keeps its own.'],
  );
});

test('an image that was built here is offered by its id', async () => {
  const { state, look, availableUpdate } = await world({ images: { two: null } });
  state.tag = 'two';

  await look();

  assert.is(availableUpdate()?.newDigest, 'two');
});

test('an offer goes when the tag is back, and when it is taken', async () => {
  const { state, look, availableUpdate, told, pins } = await world();
  state.tag = 'two';
  await look();

  state.tag = 'one';
  await look();
  assert.is(availableUpdate(), undefined);

  state.tag = 'two';
  await look();
  await pins.set('boxed', { reference: 'a:1', imageId: 'two', previous: undefined });
  await look();
  assert.is(availableUpdate(), undefined);
  assert.is(told.length, 4);
});

test('a server whose config names another reference by now is offered nothing', async () => {
  const { state, pins, look, availableUpdate } = await world();
  await pins.set('boxed', { reference: 'a:0', imageId: 'one', previous: undefined });
  state.tag = 'two';

  await look();

  assert.is(availableUpdate(), undefined);
});

test('a registry is asked an hour after the server came, then once a day', async () => {
  const { state, look, asked, asksNow } = await world();
  await look();
  state.now = hour - 1;
  await look();
  assert.equal(asked, []);

  state.now = hour;
  await asksNow();
  state.now += 24 * hour - 1;
  await look();
  assert.is(asked.length, 1);

  state.now += 1;
  await asksNow();
  assert.equal(asked, ['a:1', 'a:1']);
});

test('a service that starts again asks no sooner', async () => {
  const { state, look, asked, availableUpdates } = await world();
  await look();
  state.now = hour / 2;

  const again = await world();
  again.state.now = hour / 2;
  for (const [server, row] of availableUpdates.rows) again.availableUpdates.rows.set(server, row);
  await again.look();

  assert.equal([...asked, ...again.asked], []);
});

test('what the registry has is offered, and stays offered', async () => {
  const { state, look, availableUpdate, asksNow } = await world();
  await look();
  Object.assign(state, { now: hour, registry: digest('3') });

  await asksNow();
  await waitUntil('it is offered', () => availableUpdate()?.newDigest === digest('3'));
  await look();

  assert.is(availableUpdate()?.newDigest, digest('3'));
});

test('servers of one reference are asked about once, and no two registries at a time', async () => {
  const { state, updates, pins, availableUpdates, asked, boxed, server } = await world();
  const other = server('other');
  await pins.set('other', { reference: 'a:1', imageId: 'one', previous: undefined });
  let answer: (digest: string) => void = () => {};
  state.registry = new Promise((resolve) => {
    answer = resolve;
  });
  await updates.poll([boxed, other]);
  state.now = hour;

  await updates.poll([boxed, other]);
  await updates.poll([boxed, other]);
  answer(digest('3'));
  await waitUntil('both are offered', () =>
    [...availableUpdates.rows.values()].every(({ availableUpdate }) => availableUpdate),
  );

  assert.equal(asked, ['a:1']);
});

test('a registry that is away is said once and asked again in an hour', async () => {
  const { state, look, logged, asksNow, availableUpdate } = await world();
  await look();
  Object.assign(state, { now: hour, registry: new Failure('provision_failed', 'Away.') });

  await asksNow();
  state.now += hour;
  await asksNow();
  Object.assign(state, { now: state.now + hour, registry: digest('3') });
  await asksNow();
  await waitUntil('it is offered', () => availableUpdate());

  assert.equal(
    logged.slice(0, 2).map(({ level, message }) => [level, message]),
    [
      ['info', 'A registry could not be asked for a newer image; that is tried again later.'],
      ['debug', 'A registry still cannot be asked for a newer image.'],
    ],
  );
});

test('no registry is asked for what none can know better, nor when the setting says never', async () => {
  const worlds: World[] = [
    { images: { one: null } },
    { config: { pull: 'never' } },
    { config: { image: `a:1@${digest('1')}` } },
    { everyHours: 0 },
  ];
  for (const each of worlds) {
    const { state, look, asked } = await world(each);
    await look();
    state.now = 48 * hour;
    await look();
    assert.equal(asked, [], JSON.stringify(each));
  }
});

test('a check asks at once, even where the setting says never, and tells what is wrong', async () => {
  const { state, updates, boxed, asked } = await world({ everyHours: 0 });
  state.registry = digest('3');

  assert.is((await updates.check(boxed))?.newDigest, digest('3'));
  state.registry = new Failure('provision_failed', 'Away.');
  const outcome = await updates.check(boxed).catch(({ message }) => message);

  assert.is(outcome, 'Away.');
  assert.is(asked.length, 2);
});

test('what was pulled is the last that the registry said', async () => {
  const { state, updates, boxed, pins, look, availableUpdate } = await world();
  state.registry = digest('3');
  await updates.check(boxed);
  assert.is(availableUpdate()?.newDigest, digest('3'));

  await pins.set('boxed', { reference: 'a:1', imageId: 'two', previous: undefined });
  state.tag = 'two';
  await updates.pulled(boxed, { id: 'two', ports: [], volumes: [], digests: [`a@${digest('2')}`] });
  await look();

  assert.is(availableUpdate(), undefined);
});

test('a database that is away is no trouble', async () => {
  const { updates, boxed, availableUpdates, logged } = await world();
  Object.assign(availableUpdates, {
    all: () => Promise.reject(new Failure('database_unavailable', 'Away.')),
  });

  await updates.poll([boxed]);

  assert.equal(
    logged.map(({ level }) => level),
    ['debug'],
  );
});

test.run();
