import { readFile, rename, writeFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../../lib/failure.ts';
import { replaceFile } from '../../../lib/files/node-durable-file.ts';
import type { Groups } from '../../../lib/groups/groups.ts';
import { createGroupFolder, flip, type GroupFolder } from './group-folder.ts';

const test = suite<{ folder: GroupFolder }>('group files: many at once');

test.before.each(async (context) => {
  context.folder = await createGroupFolder();
});
test.after.each((context) => context.folder.close());

/** Runs `count` pieces of work, `callers` at a time. */
async function inParallel(
  count: number,
  callers: number,
  work: (at: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: callers }, worker));
}

test('readers see valid JSON at every instant of hundreds of random toggles', async ({ folder }) => {
  const { groups } = await folder.open();
  let running = true;
  let reads = 0;
  const reader = async () => {
    for (; running; reads++) JSON.parse(await readFile(folder.path('default'), 'utf8'));
  };
  const readers = [reader(), reader(), reader(), reader()];
  const toggles = new Map<string, number>();
  await inParallel(600, 8, (at) => {
    const tool = `a__${(at * 7919) % 23}`;
    toggles.set(tool, (toggles.get(tool) ?? 0) + 1);
    return groups.change('default', flip(tool));
  });
  running = false;
  await Promise.all(readers);

  const odd = [...toggles].filter(([, times]) => times % 2 === 1).map(([tool]) => tool);
  const { included_tools } = await folder.json('default');
  assert.equal([...(included_tools as string[])].sort(), odd.sort());
  assert.ok(reads > 100, `${reads} reads`);
});

test('toggles through two stores on one folder and one lock lose nothing', async ({ folder }) => {
  const one = await folder.open();
  const other = await folder.open();
  await inParallel(200, 16, (at) => {
    const { groups } = at % 2 ? one : other;
    return groups.change('default', flip(`a__${at}`));
  });

  assert.is(((await folder.json('default')).included_tools as string[]).length, 200);
});

test('edits that wait during one write share the next', async ({ folder }) => {
  let writes = 0;
  const replace: typeof replaceFile = async (path, text, expected) => {
    writes++;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return replaceFile(path, text, expected);
  };
  const { groups } = await folder.open({ replace });
  writes = 0;
  await Promise.all(Array.from({ length: 50 }, (_, at) => groups.change('default', flip(`a__${at}`))));

  assert.ok(writes <= 2, `${writes} writes`);
  assert.is(((await folder.json('default')).included_tools as string[]).length, 50);
});

test('200 toggles a second are acknowledged at 32 callers, each of them durable', async ({ folder }) => {
  const { groups } = await folder.open();
  const start = performance.now();
  await inParallel(400, 32, (at) => groups.change('default', flip(`a__${at % 40}`)));

  const seconds = (performance.now() - start) / 1000;
  assert.ok(400 / seconds > 200, `${Math.round(400 / seconds)} a second`);
});

test('each caller gets the group as its own edit left it', async ({ folder }) => {
  const { groups } = await folder.open();
  const [first, second] = await Promise.all([
    groups.change('default', flip('a__1')),
    groups.change('default', flip('a__2')),
  ]);

  assert.equal(first.includedTools, ['a__1']);
  assert.equal(second.includedTools, ['a__1', 'a__2']);
  assert.is.not(first.etag, second.etag);
});

test('a save that lands while a toggle writes is kept', async ({ folder }) => {
  let isFirst = true;
  const replace: typeof replaceFile = async (path, text, expected) => {
    if (isFirst) await folder.write('default', { name: 'default', included_tools: ['by__hand'], note: 1 });
    isFirst = false;
    return replaceFile(path, text, expected);
  };
  await folder.write('default', { name: 'default', included_tools: [] });
  const { groups } = await folder.open({ replace });
  await groups.change('default', flip('a__1'));

  assert.equal(await folder.json('default'), {
    name: 'default',
    included_tools: ['by__hand', 'a__1'],
    note: 1,
  });
});

test('saves by hand that race with toggles are kept', async ({ folder }) => {
  const { groups } = await folder.open();

  // No file system call looks and renames in one: a save that begins between the two is lost. Without the look 75 and more
  // are lost in each round, with it mostly 0 to 3. Of three rounds about one run in 60 had more than 2 in each.
  const lost: number[] = [];
  do lost.push(await lostSaves(folder, groups));
  while (Math.min(...lost) > 2 && lost.length < 6);

  assert.ok(Math.min(...lost) <= 2, `${lost} lost`);
});

/** How many of a hundred saves by hand a steady stream of toggles overwrote. */
async function lostSaves(folder: GroupFolder, groups: Groups): Promise<number> {
  const keys = Array.from({ length: 100 }, (_, at) => `hand_${at}`);
  // In a file that has grown by the saves of earlier rounds more are lost: up to 13.
  await folder.write('default', { name: 'default', included_tools: [] });
  let editing = true;
  const toggles = (async () => {
    for (let at = 0; editing; at++) await groups.change('default', flip(`a__${at % 5}`)).catch(isRefusal);
  })();
  for (const key of keys) {
    await saveByHand(folder, key);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 8));
  }
  editing = false;
  await toggles;
  const document = await folder.json('default');
  return keys.filter((key) => !(key in document)).length;
}

function isRefusal(error: unknown): void {
  if (!(error instanceof Failure && error.code === 'group_changed')) throw error;
}

/** As a careful editor does it: what it shows is what is in the file when it saves, else it asks and reloads. */
async function saveByHand(folder: GroupFolder, key: string): Promise<void> {
  const temporary = `${folder.path('default')}~`;
  for (;;) {
    const shown = await folder.text('default');
    await writeFile(temporary, JSON.stringify({ ...JSON.parse(shown), [key]: true }));
    if ((await folder.text('default')) !== shown) continue;
    await rename(temporary, folder.path('default'));
    return;
  }
}

test('a store that is closed has finished its edits', async ({ folder }) => {
  const { groups } = await folder.open();
  const edit = groups.change('default', flip('a__1'));
  await groups.close();

  assert.equal((await folder.json('default')).included_tools, ['a__1']);
  assert.equal((await edit).includedTools, ['a__1']);
});

test('without the lock nothing is written, and every waiting edit hears why', async ({ folder }) => {
  let isAway = false;
  const { groups } = await folder.open({
    lock: async (name, work) => {
      if (isAway) throw new Failure('database_unavailable', 'Away.');
      return folder.lock(name, work);
    },
  });
  const before = await folder.text('default');
  isAway = true;
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map((at) => groups.change('default', flip(`a__${at}`))),
  );

  const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
  assert.equal(codes, ['database_unavailable', 'database_unavailable', 'database_unavailable']);
  assert.is(await folder.text('default'), before);
  isAway = false;
  assert.equal((await groups.change('default', flip('a__1'))).includedTools, ['a__1']);
});

test.run();
