import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSeenUris } from '../../../lib/mcp/views/seen-uris.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('URIs that results showed');

test('the last server that showed a URI to the group is known, in that group alone', () => {
  const seen = createSeenUris();
  seen.record('g', 'one', '{"content":[{"uri" : "r://1"},{"resource":{"uri":"r:\\/\\/2"}}]}');
  seen.record('g', 'two', '{"uri":"r://1"}');

  assert.equal([seen.serverOf('g', 'r://1'), seen.serverOf('g', 'r://2')], ['two', 'one']);
  assert.is(seen.serverOf('h', 'r://1'), undefined);
});

test('text that looks like a link, and members of other types, are no URIs', () => {
  const seen = createSeenUris();
  seen.record('g', 'one', JSON.stringify({ text: '{"uri":"r://1"}', uri: 7 }));

  assert.is(seen.serverOf('g', 'r://1'), undefined);
});

test('one result cannot drive out all the others, and long URIs are not kept', () => {
  const seen = createSeenUris();
  const long = `r://${'x'.repeat(100_000)}`;
  seen.record('g', 'one', JSON.stringify({ uri: 'r://first' }));
  seen.record('g', 'two', JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ uri: `r://${at}` }))));
  seen.record('g', 'two', JSON.stringify({ uri: long }));

  assert.is(seen.serverOf('g', 'r://first'), 'one');
  assert.is(seen.serverOf('g', 'r://999'), 'two');
  assert.is(seen.serverOf('g', 'r://1000'), undefined);
  assert.is(seen.serverOf('g', long), undefined);
});

test('the oldest are forgotten', () => {
  const seen = createSeenUris();
  seen.record('g', 'one', '{"uri":"r://first"}');
  for (let at = 0; at < 11; at++) {
    seen.record(
      'g',
      'two',
      JSON.stringify(Array.from({ length: 1_000 }, (_, one) => ({ uri: `r://${at}-${one}` }))),
    );
  }

  assert.is(seen.serverOf('g', 'r://first'), undefined);
  assert.is(seen.serverOf('g', 'r://10-999'), 'two');
});

test('a result of many megabytes is looked through in many turns', async () => {
  const seen = createSeenUris();
  const result = JSON.stringify({ text: 'a"\\'.repeat(3_000_000), uri: 'r://1' });

  seen.record('g', 'one', result);

  assert.is(seen.serverOf('g', 'r://1'), undefined);
  await waitUntil('it is found', () => seen.serverOf('g', 'r://1') === 'one', { everyMs: 1 });
});

test.run();
