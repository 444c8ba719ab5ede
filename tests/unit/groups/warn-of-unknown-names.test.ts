import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { warnOfUnknownNames } from '../../../lib/groups/warnings/group-warnings.ts';
import { silentLog } from '../../../lib/log.ts';
import { createMemoryGroups } from '../../support/memory-groups.ts';
import { createRecordingLog } from '../../support/recording-log.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { knownTools } from './known-tools.ts';

const test = suite('names in a group that no server offers');

const delayMs = 20;
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 3 * delayMs));

function start() {
  const bus = createLocalBus({ log: silentLog });
  const groups = createMemoryGroups(bus);
  const catalog = knownTools({ a: ['x', 'y'] }, bus);
  const { log, logged } = createRecordingLog();
  const { stop } = warnOfUnknownNames({ groups, catalog, bus, log, delayMs });
  return { groups, catalog, logged, stop };
}

test('are told with their group, tools and servers alike', async () => {
  const { groups, logged, stop } = start();
  groups.write('ops', { included_tools: ['a__x', 'a__typo', 'gone__z'], included_servers: ['a', 'nobody'] });
  await waitUntil('they are told', () => logged.length > 0);

  assert.equal(logged, [
    {
      level: 'warn',
      fields: { group: 'ops', names: ['a__typo', 'gone__z', 'nobody'], more: 0 },
      message: 'a group names tools or servers that are not there',
    },
  ]);
  stop();
});

test('a group whose names are all there says nothing', async () => {
  const { groups, logged, stop } = start();
  groups.write('ops', { included_tools: ['a__x'], included_servers: ['a'], excluded_tools: ['no__such'] });
  await aWhile();

  assert.equal(logged, []);
  stop();
});

test('the same names are told once, other names again', async () => {
  const { groups, catalog, logged, stop } = start();
  groups.write('ops', ['a__typo']);
  await waitUntil('they are told', () => logged.length === 1);
  groups.write('ops', ['a__typo', 'a__x']);
  catalog.setTools('a', ['x', 'y', 'more']);
  await aWhile();
  assert.is(logged.length, 1);

  groups.write('ops', ['a__typo', 'a__other']);
  await waitUntil('the others are told', () => logged.length === 2);
  stop();
});

test('a server that goes away makes its names unknown, and known again when it is back', async () => {
  const { groups, catalog, logged, stop } = start();
  groups.write('ops', ['a__x']);
  await catalog.remove('a');
  await waitUntil('they are told', () => logged.length === 1);
  catalog.setTools('a', ['x']);
  await aWhile();
  await catalog.remove('a');

  await waitUntil('they are told again', () => logged.length === 2);
  stop();
});

test('a long list of long names makes a short line', async () => {
  const { groups, logged, stop } = start();
  groups.write(
    'ops',
    Array.from({ length: 5_000 }, (_, at) => `a__${at}${'x'.repeat(500)}`),
  );
  await waitUntil('they are told', () => logged.length > 0);

  assert.is(logged[0]?.fields.more, 4_990);
  assert.ok(JSON.stringify(logged[0]).length < 2_000);
  stop();
});

test('before the tools are known nothing is told, and after stopping neither', async () => {
  const { groups, catalog, logged, stop } = start();
  catalog.setLoaded(false);
  groups.write('ops', ['a__typo']);
  await aWhile();
  assert.equal(logged, []);

  catalog.setLoaded(true);
  groups.write('ops', ['a__typo', 'a__x']);
  stop();
  await aWhile();
  assert.equal(logged, []);
});

test.run();
