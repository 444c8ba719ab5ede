import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseServerConfig } from '../../../lib/config/parse-server-config.ts';
import { createOwnershipDuties } from '../../../lib/container-host/follow-ownership.ts';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { silentLog } from '../../../lib/log.ts';
import { createMemoryCatalog } from '../../support/memory-catalog.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('duties of the owner of the containers');

function world({ isOwner = true, everyMs = 60 } = {}) {
  const bus = createLocalBus({ log: silentLog });
  const catalog = createMemoryCatalog(bus);
  catalog.store(parseServerConfig({ name: 'boxed', transport: 'stdio', image: 'a:1' }), []);
  catalog.store(parseServerConfig({ name: 'process', transport: 'stdio', command: 'x' }), []);
  const state = { isOwner, answers: true };
  const looks: boolean[] = [];
  const letGo: string[] = [];
  const duties = createOwnershipDuties({
    isOwner: () => state.isOwner,
    reconciler: {
      async reconcile(isFirst) {
        looks.push(isFirst);
        return state.answers;
      },
    },
    catalog,
    upstreams: { letGo: async (name) => void letGo.push(name) },
    bus,
    log: silentLog,
    everyMs,
    soonMs: 40,
  });
  return { bus, state, looks, letGo, duties };
}

test('the owner looks at once, and from time to time', async () => {
  const { looks, duties } = world();

  duties.start();

  assert.equal(looks, [true]);
  await waitUntil('it looks again', () => looks.length > 1);
  assert.is(looks[1], false);
  duties.stop();
});

test('who is not the owner looks at nothing', async () => {
  const { looks, duties, bus } = world({ isOwner: false });

  duties.start();
  bus.publish({ type: 'server', name: 'boxed' });
  await new Promise((resolve) => setTimeout(resolve, 150));

  assert.equal(looks, []);
  duties.stop();
});

test('a first look that finds no engine is made again as a first one', async () => {
  const { looks, state, duties } = world();
  state.answers = false;
  duties.start();
  await waitUntil('it looks again', () => looks.length > 1);

  assert.equal(looks.slice(0, 2), [true, true]);
  duties.stop();
});

test('who becomes the owner takes a first look; who ceases to be it lets go of containers alone', async () => {
  const { looks, letGo, state, duties } = world({ isOwner: false });
  duties.start();

  state.isOwner = true;
  duties.changed(true);
  assert.equal(looks, [true]);
  state.isOwner = false;
  duties.changed(false);

  await waitUntil('it lets go', () => letGo.length > 0);
  assert.equal(letGo, ['boxed']);
  duties.stop();
});

test('news of a container make it look soon, once for a burst; those of processes do not', async () => {
  const { looks, duties, bus } = world({ everyMs: 60_000 });
  duties.start();
  bus.publish({ type: 'server', name: 'process' });
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.is(looks.length, 1);

  for (let count = 0; count < 5; count += 1) bus.publish({ type: 'server', name: 'boxed' });

  await waitUntil('it looks', () => looks.length === 2);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.is(looks.length, 2);
  duties.stop();
});

test.run();
