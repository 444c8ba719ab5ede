import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { createGroupCache } from '../../../lib/groups/files/group-cache.ts';
import { type ParsedGroup, parseGroup } from '../../../lib/groups/files/parse-group.ts';
import { createRecordingLog } from '../../support/recording-log.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('createGroupCache');

function version(etag: string): ParsedGroup {
  const text = JSON.stringify({ name: 'ops', included_tools: [] });
  return parseGroup('ops', { text, etag, modifiedAt: new Date(0) });
}

function create(readGroup: () => Promise<ParsedGroup | undefined> = async () => undefined) {
  const { log, logged } = createRecordingLog();
  const bus = createLocalBus({ log });
  const busMessages: string[] = [];
  bus.subscribe((item) => void busMessages.push(item.type));
  return { cache: createGroupCache({ readGroup, bus, log }), busMessages, logged };
}

test('a reading that began before a write does not bring the old content back', async () => {
  const answers: ((found: ParsedGroup) => void)[] = [];
  const { cache } = create(() => new Promise((resolve) => answers.push(resolve)));
  const refreshing = cache.refresh('ops');
  cache.store('ops', version('"new"'));
  answers.shift()?.(version('"old"'));
  await Promise.resolve();
  await new Promise(setImmediate);
  assert.is(cache.read('ops')?.group?.etag, '"new"');

  answers.shift()?.(version('"new"'));
  await refreshing;
  assert.is(cache.read('ops')?.group?.etag, '"new"');
});

test('groups that are read together are stored together, and read again when their files were exchanged', async () => {
  const { cache, busMessages } = create();
  const pauses: (() => void)[] = [];
  let round = 0;
  const refreshing = cache.refreshTogether(['ops', 'web'], async () => {
    round += 1;
    await new Promise<void>((resolve) => pauses.push(resolve));
    return round === 1 ? undefined : new Map(['ops', 'web'].map((name) => [name, version(`"${round}"`)]));
  });
  pauses.shift()?.();
  await waitUntil('they are read again', () => pauses.length === 1);
  assert.equal([cache.names(), busMessages], [[], []]);
  // Stored meanwhile, so that what is being read of it is older.
  cache.store('web', version('"own"'));
  pauses.shift()?.();
  await waitUntil('that one is read again', () => pauses.length === 1);
  assert.equal([cache.read('ops')?.group?.etag, cache.read('web')?.group?.etag], ['"2"', '"own"']);
  pauses.shift()?.();
  await refreshing;

  assert.equal([cache.read('ops')?.group?.etag, cache.read('web')?.group?.etag], ['"2"', '"3"']);
});

test('publishes changes only, and a problem that stays is told once', () => {
  const { cache, busMessages, logged } = create();
  cache.store('ops', version('"1"'));
  cache.store('ops', version('"1"'));
  cache.store('ops', { problem: 'Broken.' });
  cache.store('ops', { problem: 'Broken.' });
  cache.store('ops', version('"1"'));
  cache.store('ops', undefined);
  cache.store('ops', undefined);

  assert.is(busMessages.length, 4);
  assert.equal(
    logged.map(({ level, message }) => [level, message]),
    [
      ['info', 'group found'],
      ['warn', 'group broken'],
      ['info', 'group repaired'],
      ['info', 'group removed'],
    ],
  );
});

test('the log names the group, its problem and what serves meanwhile', () => {
  const { cache, logged } = create();
  cache.store('ops', { problem: 'Broken.' });

  assert.equal(logged[0]?.fields, { group: 'ops', problem: 'Broken.', serves: 'nothing' });
});

test.run();
