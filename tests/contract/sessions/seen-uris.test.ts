import * as assert from 'uvu/assert';
import { createSeenUris } from '../../../lib/mcp/views/seen-uris.ts';
import { createSeenUriRows } from '../../../lib/sessions/seen-uris/seen-uri-rows.ts';
import { createSharedSeenUris } from '../../../lib/sessions/seen-uris/shared-seen-uris.ts';
import { eachDatabase } from '../../support/each-database.ts';

/** A view of the group in which no list has any URI. */
const features = { resourceServers: ['one', 'two', 'gone'], isListed: () => false };
const tiny = { mostOfServer: 1_000_000, most: 1_000_000, seconds: 1_000_000 };

for (const { test, database } of await eachDatabase({ name: 'seen uris', table: 'seen_uris' })) {
  const rows = () => createSeenUriRows(database());

  /** What one replica has of it. */
  function createProcess() {
    const shared = createSharedSeenUris({ rows: rows(), now: () => 0 });
    const { record, serverOf } = createSeenUris(shared);
    const show = (group: string, server: string, ...uris: readonly string[]) =>
      record(group, server, JSON.stringify({ content: uris.map((uri) => ({ uri })) }), features);
    return { ...shared, show, serverOf };
  }

  async function storedKeys(): Promise<readonly string[]> {
    const found = await database().query<{ key: string }>('select key from seen_uris order by key');
    return found.map(({ key }) => key);
  }

  async function age(key: string, seconds: number): Promise<void> {
    await database().query(
      'update seen_uris set shown_at = now() - make_interval(secs => $2) where key = $1',
      [key, seconds],
    );
  }

  test.before.each(async () => {
    await database().query(
      `insert into servers (name, config, config_hash) select name, '{}', '' from unnest($1::text[]) as name
      on conflict do nothing`,
      [['one', 'two', 'gone']],
    );
  });

  test('what one process showed another one knows as soon as the answer may go, in that group alone', async () => {
    const [a, b] = [createProcess(), createProcess()];

    await a.show('g', 'one', 'r://1', 'r://2');

    assert.equal([await b.serverOf('g', 'r://1'), await b.serverOf('g', 'r://2')], ['one', 'one']);
    assert.equal([await b.serverOf('g', 'r://3'), await b.serverOf('h', 'r://1')], [undefined, undefined]);
  });

  test('the last server that showed a URI counts, at whichever process', async () => {
    const [a, b] = [createProcess(), createProcess()];

    await a.show('g', 'one', 'r://1');
    await b.show('g', 'two', 'r://1', 'r://1');

    assert.equal([await a.serverOf('g', 'r://1'), await b.serverOf('g', 'r://1')], ['two', 'two']);
  });

  test('URIs of any characters and lengths are known, and none of them is in a row', async () => {
    const [a, b] = [createProcess(), createProcess()];
    const uris = ['r://\u0000', 'r://\ud800', 'r://"\\', `r://${'x'.repeat(2_000)}`, 'r://🦀', ''];

    await a.show('g', 'one', ...uris);

    for (const uri of uris) assert.is(await b.serverOf('g', uri), 'one', JSON.stringify(uri));
    assert.ok((await storedKeys()).every((key) => /^[0-9a-f]{64}$/.test(key)));
    assert.is((await storedKeys()).length, uris.length);
  });

  test('rows go with their server, and none is written for one that is gone', async () => {
    const [a, b] = [createProcess(), createProcess()];
    await a.show('g', 'gone', 'r://1');
    await a.show('g', 'one', 'r://2');
    await database().query("delete from servers where name = 'gone'");

    await a.show('g', 'gone', 'r://3');

    const found = await Promise.all(['r://1', 'r://2', 'r://3'].map((uri) => b.serverOf('g', uri)));
    assert.equal(found, [undefined, 'one', undefined]);
  });

  test('the oldest beyond each limit go: of a server in a group, of all, and by age', async () => {
    const seen = (key: string, server: string, group = 'g') => ({ key, group, server });
    await rows().write([seen('a', 'one'), seen('b', 'one'), seen('c', 'one'), seen('d', 'two')]);
    await rows().write([seen('e', 'one', 'h')]);
    for (const [at, key] of ['a', 'b', 'c', 'd', 'e'].entries()) await age(key, 100 - at);

    await rows().removeBeyond({ ...tiny, mostOfServer: 2 });
    assert.equal(await storedKeys(), ['b', 'c', 'd', 'e']);
    await rows().removeBeyond({ ...tiny, most: 3 });
    assert.equal(await storedKeys(), ['c', 'd', 'e']);
    await age('c', 7_200);
    await rows().removeBeyond({ ...tiny, seconds: 3_600 });
    assert.equal(await storedKeys(), ['d', 'e']);
  });

  test('a server that shows twenty thousand URIs leaves five thousand rows, and those of others', async () => {
    const a = createProcess();
    await a.show('g', 'two', 'r://kept');
    for (let at = 0; at < 20; at++) {
      await a.show('g', 'one', ...Array.from({ length: 1_000 }, (_, one) => `r://${at}-${one}`));
    }
    await a.reap();

    assert.is((await storedKeys()).length, 5_001);
    assert.is(await createProcess().serverOf('g', 'r://kept'), 'two');
  });

  test('processes that write the same URIs at once, in different orders, all succeed', async () => {
    const uris = Array.from({ length: 200 }, (_, at) => ({ key: `k${at}`, group: 'g', server: 'one' }));
    const turned = [...uris].reverse();

    await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        await rows().write(at % 2 === 0 ? uris : turned);
        await rows().removeBeyond({ ...tiny, mostOfServer: 100 });
      }),
    );

    assert.ok((await storedKeys()).length >= 100);
  });

  test.run();
}
