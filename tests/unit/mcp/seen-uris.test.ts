import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSeenUris } from '../../../lib/mcp/views/seen-uris.ts';
import type { SharedSeenUris } from '../../../lib/sessions/seen-uris/shared-seen-uris.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('URIs that results showed');

/** A view of the group in which no list has any URI. */
const features = { resourceServers: ['one', 'two'], isListed: () => false };

/** Of this process alone. */
function createLocal() {
  const seen = createSeenUris();
  return {
    record: (group: string, server: string, result: string) => seen.record(group, server, result, features),
    serverOf: seen.serverOf,
  };
}

test('the last server that showed a URI to the group is known, in that group alone', async () => {
  const seen = createLocal();
  seen.record('g', 'one', '{"content":[{"uri" : "r://1"},{"resource":{"uri":"r:\\/\\/2"}}]}');
  seen.record('g', 'two', '{"uri":"r://1"}');

  assert.equal([await seen.serverOf('g', 'r://1'), await seen.serverOf('g', 'r://2')], ['two', 'one']);
  assert.is(await seen.serverOf('h', 'r://1'), undefined);
});

test('text that looks like a link, and members of other types, are no URIs', async () => {
  const seen = createLocal();
  seen.record('g', 'one', JSON.stringify({ text: '{"uri":"r://1"}', uri: 7 }));

  assert.is(await seen.serverOf('g', 'r://1'), undefined);
});

test('one result cannot drive out all the others, and long URIs are not kept', async () => {
  const seen = createLocal();
  const long = `r://${'x'.repeat(100_000)}`;
  seen.record('g', 'one', JSON.stringify({ uri: 'r://first' }));
  seen.record('g', 'two', JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ uri: `r://${at}` }))));
  seen.record('g', 'two', JSON.stringify({ uri: long }));

  assert.is(await seen.serverOf('g', 'r://first'), 'one');
  assert.is(await seen.serverOf('g', 'r://999'), 'two');
  assert.is(await seen.serverOf('g', 'r://1000'), undefined);
  assert.is(await seen.serverOf('g', long), undefined);
});

test('the oldest are forgotten', async () => {
  const seen = createLocal();
  seen.record('g', 'one', '{"uri":"r://first"}');
  for (let at = 0; at < 11; at++) {
    seen.record(
      'g',
      'two',
      JSON.stringify(Array.from({ length: 1_000 }, (_, one) => ({ uri: `r://${at}-${one}` }))),
    );
  }

  assert.is(await seen.serverOf('g', 'r://first'), undefined);
  assert.is(await seen.serverOf('g', 'r://10-999'), 'two');
});

test('a result of many megabytes is looked through in many turns', async () => {
  const seen = createLocal();
  const result = JSON.stringify({ text: 'a"\\'.repeat(3_000_000), uri: 'r://1' });

  assert.is(seen.record('g', 'one', result), undefined);
  const soon = seen.serverOf('g', 'r://1');

  assert.is(await soon, undefined);
  await waitUntil('it is found', async () => (await seen.serverOf('g', 'r://1')) === 'one', { everyMs: 1 });
});

test('an answer waits only for what other processes are to know, and not for long', async () => {
  const store: { uris: readonly string[]; resolve: () => void }[] = [];
  const shared: SharedSeenUris = {
    store: (_group, _server, uris) => new Promise((resolve) => store.push({ uris, resolve })),
    serverOf: async () => undefined,
    reap: async () => {},
  };
  const seen = createSeenUris(shared);

  assert.is(seen.record('g', 'one', '{"content":[]}', features), undefined);
  const stored = seen.record('g', 'one', '{"uri":"r://1"}', features);
  const long = seen.record('g', 'one', JSON.stringify({ text: ' '.repeat(600_000), uri: 'r://2' }), features);
  await waitUntil('the long one is searched', () => store.length === 2);
  store[0]?.resolve();
  await stored;
  // Never taken by the database.
  await long;

  assert.equal(
    store.map(({ uris }) => uris),
    [['r://1'], ['r://2']],
  );
});

test('of a URI that this and another process know, the last that is stored counts, while the database answers', async () => {
  let answer = async (): Promise<string | undefined> => 'two';
  const seen = createSeenUris({
    store: () => undefined,
    serverOf: () => answer(),
    reap: async () => {},
  });
  seen.record('g', 'one', '{"uri":"r://1"}', features);

  const stored = await seen.serverOf('g', 'r://1');
  answer = async () => undefined;
  const unknown = await seen.serverOf('g', 'r://1');
  answer = () => Promise.reject(new Error('away'));
  const away = await seen.serverOf('g', 'r://1');
  answer = () => new Promise(() => {});
  const hanging = await seen.serverOf('g', 'r://1');

  assert.equal([stored, unknown, away, hanging], ['two', 'one', 'one', 'one']);
});

test.run();
