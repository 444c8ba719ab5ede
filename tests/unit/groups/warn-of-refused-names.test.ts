import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { warnOfRefusedNames } from '../../../lib/groups/warnings/group-warnings.ts';
import { silentLog } from '../../../lib/log.ts';
import { createMemoryGroups } from '../../support/memory-groups.ts';
import { createRecordingLog } from '../../support/recording-log.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { knownTools } from './known-tools.ts';

const test = suite('names in the log that model providers refuse');

function start() {
  const bus = createLocalBus({ log: silentLog });
  const groups = createMemoryGroups(bus);
  const catalog = knownTools({ go: ['ping', 'greet (form)', 'get.user'] }, bus);
  const { log, logged } = createRecordingLog();
  const { stop } = warnOfRefusedNames({ groups, catalog, bus, log, delayMs: 20 });
  let turn = 0;
  /** All that was to be told has been told when a group that was written later is. */
  async function untilTold() {
    const before = logged.length;
    turn += 1;
    groups.write('last', { included_tools: ['go__ping'], exposed_names: { go__ping: `turn ${turn}` } });
    await waitUntil(
      'the last group is told',
      () => logged.length > before && logged.at(-1)?.fields.group === 'last',
    );
    return logged.filter(({ fields }) => fields.group !== 'last');
  }
  return { groups, catalog, stop, untilTold };
}

test('are told with their group, as agents see them', async () => {
  const { groups, untilTold, stop } = start();
  groups.write('fine', ['go__ping']);
  groups.write('ops', {
    included_servers: ['go'],
    exposed_names: { 'go__get.user': 'get_user', go__ping: 'p\u00efng' },
  });

  assert.equal(await untilTold(), [
    {
      level: 'warn',
      fields: { group: 'ops', names: ['"pïng"', '"go__greet (form)"'], more: 0 },
      message:
        'model providers refuse names of tools that agents of a group see; *Rename* on the page gives them others',
    },
  ]);
  stop();
});

test('the same names are told once, other names again', async () => {
  const { groups, catalog, untilTold, stop } = start();
  groups.write('ops', ['go__greet (form)']);
  assert.is((await untilTold()).length, 1);
  groups.write('ops', ['go__greet (form)', 'go__ping']);
  catalog.setTools('go', ['greet (form)', 'ping', 'get.user']);
  assert.is((await untilTold()).length, 1);

  groups.write('ops', ['go__get.user']);
  assert.is((await untilTold()).length, 2);
  groups.write('ops', []);
  await untilTold();
  groups.write('ops', ['go__get.user']);
  assert.is((await untilTold()).length, 3, 'after it was well');
  stop();
});

test('thousands of them make a short line', async () => {
  const { groups, catalog, untilTold, stop } = start();
  catalog.setTools(
    'many',
    Array.from({ length: 3_000 }, (_, at) => `tool ${at}`),
  );
  groups.write('ops', { included_servers: ['many'] });
  const [told] = await untilTold();

  assert.is(told?.fields.more, 2_990);
  stop();
});

test.run();
