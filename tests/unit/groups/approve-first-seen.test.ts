import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import type { Definitions } from '../../../lib/groups/definitions/approval-rows.ts';
import { approveFirstSeen } from '../../../lib/groups/definitions/approve-first-seen.ts';
import { silentLog } from '../../../lib/log.ts';
import { createMemoryGroups } from '../../support/memory-groups.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { knownTools } from './known-tools.ts';

const test = suite('acceptFirstSeen');

function start(options: { isLoaded?: boolean; failures?: number } = {}) {
  const bus = createLocalBus({ log: silentLog });
  const groups = createMemoryGroups(bus);
  const catalog = knownTools({ a: ['x', 'y'] }, bus);
  const accepted = new Map<string, string>();
  let failures = options.failures ?? 0;
  const approvals = {
    isLoaded: () => options.isLoaded ?? true,
    approved: () => accepted,
    async approveFirstSeen(_group: string, tools: Definitions) {
      if (failures-- > 0) throw new Error('away');
      for (const [tool, { hash }] of tools) accepted.set(tool, hash);
    },
  };
  const firstSeen = approveFirstSeen({ groups, catalog, approvals, bus, log: silentLog });
  return { groups, catalog, accepted, stop: firstSeen.stop };
}

const aWhile = () => new Promise((resolve) => setTimeout(resolve, 200));

test('a tool that a person wrote into the file is accepted as it is then', async () => {
  const { groups, catalog, accepted, stop } = start();
  groups.write('ops', ['a__x', 'gone__z']);
  await waitUntil('it is accepted', () => accepted.size > 0);

  assert.equal([...accepted], [['a__x', catalog.tool('a__x')?.hash]]);
  stop();
});

test('a tool that comes with an included server is accepted when the server first lists it', async () => {
  const { groups, catalog, accepted, stop } = start();
  groups.write('ops', { included_servers: ['b'] });
  await aWhile();
  assert.is(accepted.size, 0);

  catalog.setTools('b', ['new']);
  await waitUntil('it is accepted', () => accepted.has('b__new'));
  stop();
});

test('a definition that changes later is not accepted by itself', async () => {
  const { groups, catalog, accepted, stop } = start();
  groups.write('ops', ['a__x']);
  await waitUntil('it is accepted', () => accepted.has('a__x'));
  const before = accepted.get('a__x');
  catalog.setTools('a', ['{"name":"x","description":"other"}']);
  await aWhile();

  assert.is(accepted.get('a__x'), before);
  stop();
});

test('nothing is accepted before what was accepted earlier is loaded', async () => {
  const { groups, accepted, stop } = start({ isLoaded: false });
  groups.write('ops', ['a__x']);
  await aWhile();

  assert.is(accepted.size, 0);
  stop();
});

test('what could not be stored is tried again with the next news', async () => {
  const { groups, accepted, stop } = start({ failures: 1 });
  groups.write('ops', ['a__x']);
  await aWhile();
  assert.is(accepted.size, 0);

  groups.write('ops', ['a__x']);
  await waitUntil('it is accepted', () => accepted.has('a__x'));
  stop();
});

test.run();
