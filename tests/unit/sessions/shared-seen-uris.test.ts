import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { databaseUnavailable } from '../../../lib/failure.ts';
import type { SeenUri } from '../../../lib/sessions/seen-uris/seen-uri-rows.ts';
import { createSharedSeenUris } from '../../../lib/sessions/seen-uris/shared-seen-uris.ts';

const test = suite('URIs that processes tell each other');

/** A view of the group in which no list has any URI. */
const features = { resourceServers: ['one', 'two'], isListed: () => false };

/** Rows in memory, in a database that can be away. */
function createProcess() {
  const stored = new Map<string, string>();
  const writes: number[] = [];
  const reads: number[] = [];
  const is = { away: false, ms: 0, removals: 0 };
  function answer(): void {
    if (is.away) throw databaseUnavailable();
  }
  const rows = {
    async write(seen: readonly SeenUri[]) {
      answer();
      writes.push(seen.length);
      for (const { key, server } of seen) stored.set(key, server);
    },
    async read(keys: readonly string[]) {
      answer();
      reads.push(keys.length);
      return new Map(keys.flatMap((key) => (stored.has(key) ? [[key, stored.get(key) ?? ''] as const] : [])));
    },
    async removeBeyond() {
      answer();
      is.removals++;
    },
  };
  return { uris: createSharedSeenUris({ rows, now: () => is.ms }), is, writes, reads };
}

test('what was just stored is not written again, until ten seconds later or for another server', async () => {
  const { uris, is, writes } = createProcess();
  await uris.store('g', 'one', ['r://1', 'r://2'], features);

  const again = uris.store('g', 'one', ['r://1', 'r://2'], features);
  await uris.store('g', 'one', ['r://2', 'r://3'], features);
  await uris.store('h', 'one', ['r://1'], features);
  await uris.store('g', 'two', ['r://1'], features);
  is.ms = 10_000;
  await uris.store('g', 'two', ['r://1'], features);

  assert.is(again, undefined);
  assert.equal(writes, [2, 1, 1, 1, 1]);
  assert.is(await uris.serverOf('g', 'r://1'), 'two');
});

test('what is in a list, and what no read would go to, is not written', () => {
  const { uris } = createProcess();

  assert.is(uris.store('g', 'one', ['r://1'], { ...features, isListed: () => true }), undefined);
  assert.is(uris.store('g', 'one', ['r://1'], { ...features, resourceServers: ['two'] }), undefined);
});

test('of a result with many URIs only the first are looked for in lists', async () => {
  const { uris, writes } = createProcess();
  let asked = 0;
  const isListed = () => ++asked > 0;
  const many = Array.from({ length: 1_000 }, (_, at) => `r://${at}`);

  await uris.store('g', 'one', many, { ...features, isListed });

  assert.equal([asked, writes], [20, [980]]);
});

test('what was read is not written when the answer of the read shows it', async () => {
  const { uris, is, writes } = createProcess();
  await uris.store('g', 'one', ['r://1'], features);
  is.ms = 20_000;

  await uris.serverOf('g', 'r://1');

  assert.is(uris.store('g', 'one', ['r://1'], features), undefined);
  assert.equal(writes, [1]);
});

test('reads that begin together share one statement', async () => {
  const { uris, reads } = createProcess();

  const found = await Promise.all(['r://1', 'r://2', 'r://1'].map((uri) => uris.serverOf('g', uri)));

  assert.equal(found, [undefined, undefined, undefined]);
  assert.equal(reads, [2]);
});

test('while the database is away nothing fails but a read, and what was shown is written later', async () => {
  const { uris, is, writes } = createProcess();
  is.away = true;

  await uris.store('g', 'one', ['r://1', 'r://2'], features);
  const read = await uris.serverOf('g', 'r://1').catch(({ code }) => code);
  await uris.reap().catch(() => {});
  is.away = false;
  await uris.store('g', 'two', ['r://2'], features);
  await uris.reap();
  await uris.reap();

  assert.is(read, 'database_unavailable');
  assert.equal(writes, [1, 1]);
  assert.equal([await uris.serverOf('g', 'r://1'), await uris.serverOf('g', 'r://2')], ['one', 'two']);
});

test('a server that shows ever more has the oldest removed between the regular times', async () => {
  const { uris, is } = createProcess();
  for (let at = 0; at < 10; at++) {
    const many = Array.from({ length: 1_000 }, (_, one) => `r://${at}-${one}`);
    await uris.store('g', 'one', many, features);
  }

  assert.is(is.removals, 2);
});

test.run();
