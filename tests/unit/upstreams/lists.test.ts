import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  listPages,
  listServerFeatures,
  listServerTools,
} from '../../../lib/upstreams/connection/list-server.ts';
import { failureOf } from '../../support/upstream-fixture.ts';

const test = suite('lists of servers');

/** Answers each page that is asked for with the next of these results. */
function answering(results: readonly string[]) {
  let page = 0;
  return { ask: async () => ({ result: results[page++] ?? '{"prompts":[]}' }) };
}

const options = { server: 'files', method: 'prompts/list', member: 'prompts', waitMs: 1 };

test('as many elements as the bound are taken, on however many pages, and one more is not', async () => {
  const list = (count: number) => `[${Array(count).fill('{}').join(',')}]`;
  const first = `{"prompts":${list(4_000)},"nextCursor":"2"}`;
  const pages = (count: number) => answering([first, `{"prompts":${list(count)}}`]);

  assert.is((await listPages(pages(6_000), options))?.length, 10_000);
  const { message } = await failureOf(listPages(pages(6_001), options));
  assert.match(message, 'The server "files" is unavailable: it lists more than 10000 prompts.');
});

test('a page of 200,000 elements is refused, and nothing is thrown that nobody understands', async () => {
  const list = answering([`{"prompts":[${'{},'.repeat(199_999)}{}]}`]);

  assert.match((await failureOf(listPages(list, options))).message, 'it lists more than 10000 prompts');
});

test('definitions of more than four million characters in all are refused', async () => {
  const page = (cursor: string) =>
    `{"prompts":[{"name":"${'x'.repeat(1_500_000)}"}],"nextCursor":"${cursor}"}`;
  const { message } = await failureOf(listPages(answering([page('1'), page('2'), page('3')]), options));

  assert.match(message, 'its list of prompts is longer than 4194304 characters');
});

test('tools that are left out are told of, each with the reason; those with odd names are kept', async () => {
  const names = ['x'.repeat(513), 'a\u202eb\n', 'fine', 'fine', '', ''];
  const tools = answering([JSON.stringify({ tools: names.map((name) => ({ name })) })]);

  const listed = await listServerTools(tools, { server: 'files', waitMs: 1, gatewayId: '' });

  assert.equal(
    listed.map(({ name }) => name),
    ['a\u202eb\n', 'fine'],
  );
  assert.equal(listed.problems, [
    '2 tools without a name were left out.',
    `The tool "${'x'.repeat(60)}…" was left out: its name is longer than 512 characters.`,
    'The tool "fine" was left out: its name is that of an earlier one.',
  ]);
});

test('resources whose URIs no client takes are left out, and prompts of any name are kept', async () => {
  const keys = ['fine', 'a\nb', 'a\u202eb', `r://${'x'.repeat(8_192)}`];
  const list = (member: string, keyMember: string) =>
    JSON.stringify({ [member]: keys.map((key) => ({ [keyMember]: key })) });
  const lists = [list('prompts', 'name'), list('resources', 'uri'), list('resourceTemplates', 'uriTemplate')];
  const capabilities = '{"prompts":{},"resources":{}}';

  const features = await listServerFeatures(
    answering(lists),
    'files',
    { capabilities, instructions: undefined },
    1,
  );

  const kept = [features.prompts, features.resources, features.templates].map((some) =>
    some.map(({ key }) => key),
  );
  assert.equal(kept, [keys, ['fine'], ['fine']]);
  const [first] = features.problems ?? [];
  const unseen = 'has line breaks or other characters that cannot be seen';
  assert.is(first, `The resource "a\\u{a}b" was left out: its uri ${unseen}.`);
  assert.is(features.problems?.length, 6);
});

test.run();
