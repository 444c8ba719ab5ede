import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isFiltering, sectionsOf, sumOf, type Tool, tokensText } from '../../../static/state/sections.js';

const test = suite('which tools the dashboard shows');
const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: '',
  enabled: false,
  input_schema: {},
  state: 'present',
  token_estimate: 10,
  ...more,
});
const tools = {
  web: [tool('web__fetch', { description: 'Gets a Page' }), tool('web__search', { state: 'changed' })],
  files: [tool('files__read', { description: 'Reads a page of a file' })],
  down: [],
};
const none = { draft: new Map(), saved: new Set<string>() };
const shown = (filter: Partial<Parameters<typeof sectionsOf>[1]>, selection: typeof none = none) =>
  sectionsOf(tools, { text: '', only: 'all', ...filter }, selection).flatMap((section) =>
    section.tools.length > 0 ? section.tools.map(({ name }) => name) : [section.name],
  );

test('without a filter every server is there by name, those without tools last', () => {
  assert.equal(shown({}), ['files__read', 'web__fetch', 'web__search', 'down']);
  assert.is(isFiltering({ text: '  ', only: 'all' }), false);
});

test('the filter looks at name, description and server, in any case, for all words', () => {
  assert.equal(shown({ text: 'PAGE' }), ['files__read', 'web__fetch']);
  assert.equal(shown({ text: 'page web' }), ['web__fetch']);
  assert.equal(shown({ text: 'nothing' }), []);
});

test('a tool that is unticked while only those in the group are shown stays in its place', () => {
  const selection = { draft: new Map([['web__fetch', false]]), saved: new Set(['web__fetch']) };
  assert.equal(shown({ only: 'in' }, selection), ['web__fetch']);
  assert.equal(shown({ only: 'out' }, selection), ['files__read', 'web__fetch', 'web__search']);
});

test('what needs a look is what is new, changed, missing, or has a name that somebody refuses', () => {
  const refused = tool('web__a b', { name_problem: 'Model providers refuse its name.' });
  const found = sectionsOf({ web: [...tools.web, refused] }, { text: '', only: 'attention' }, none);
  assert.equal(
    found[0]?.tools.map(({ name }) => name),
    ['web__search', refused.name],
  );
});

test('the sum counts what is ticked, saved or not', () => {
  const selection = { draft: new Map([['web__fetch', true]]), saved: new Set(['web__search']) };
  assert.equal(sumOf(tools.web, selection), { on: 2, of: 2, tokens: 20 });
  assert.equal(sumOf(tools.files, selection), { on: 0, of: 1, tokens: 0 });
});

test('tokens are exact while few and rounded when many', () => {
  assert.is(tokensText(240), '≈ 240 tokens');
  assert.is(tokensText(1240), '≈ 1.2k tokens');
  assert.is(tokensText(41_700), '≈ 42k tokens');
});

test.run();
