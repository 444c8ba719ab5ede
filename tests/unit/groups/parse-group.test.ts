import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatGroup, parseGroup, withChange } from '../../../lib/groups/files/parse-group.ts';
import type { Group } from '../../../lib/groups/groups.ts';

const test = suite('parseGroup');

function parse(content: unknown, name = 'ops') {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return parseGroup(name, { text, etag: '"1"', modifiedAt: new Date(0) });
}

function problemOf(content: unknown): string {
  const parsed = parse(content);
  return 'problem' in parsed ? parsed.problem : 'none';
}

function groupOf(content: unknown): Group {
  const parsed = parse(content);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.group;
}

test('reads all lists, and takes absent ones as empty', () => {
  const group = groupOf({ name: 'ops', included_tools: ['a__x'], excluded_tools: ['b__y'] });

  assert.equal(group.includedTools, ['a__x']);
  assert.equal(group.includedServers, []);
  assert.equal(group.excludedTools, ['b__y']);
  assert.is(group.description, '');
});

test('a half-written file is a problem', () => {
  assert.is(problemOf('{'), 'The file is not valid JSON.');
  assert.is(problemOf(''), 'The file is not valid JSON.');
});

test('null, a list and an object without fields are problems', () => {
  assert.is(problemOf('null'), 'Expected an object.');
  assert.is(problemOf('[]'), 'Expected an object.');
  assert.is(problemOf('{}'), 'Field `name`: expected a string.');
});

test('a missing included_tools is a problem, so that a misspelt one does not empty the group silently', () => {
  assert.is(problemOf({ name: 'ops', include_tools: [] }), 'Field `included_tools`: expected an array.');
});

test('included_tools that is text, an object, or holds something else than text is a problem', () => {
  assert.is(problemOf({ name: 'ops', included_tools: 'x' }), 'Field `included_tools`: expected an array.');
  assert.is(problemOf({ name: 'ops', included_tools: {} }), 'Field `included_tools`: expected an array.');
  assert.is(problemOf({ name: 'ops', included_tools: [5] }), 'Field `included_tools.0`: expected a string.');
  assert.is(
    problemOf({ name: 'ops', included_tools: [null] }),
    'Field `included_tools.0`: expected a string.',
  );
});

test("a name other than the file's is a problem", () => {
  assert.match(problemOf({ name: 'Ops', included_tools: [] }), 'Field `name`');
});

test('a problem never repeats a value of the file', () => {
  assert.not.match(problemOf({ name: 'ops', included_tools: [], excluded_tools: 'hunter2' }), 'hunter2');
  assert.not.match(problemOf({ name: 'hunter2', included_tools: [] }), 'hunter2');
});

test('a file that nests or branches without end is a problem', () => {
  assert.match(problemOf(`{"name":"ops","x":${'['.repeat(100)}${']'.repeat(100)}}`), 'deeper than 64');
  assert.match(problemOf(`{"name":"ops","included_tools":[${'"a",'.repeat(60_000)}"a"]}`), 'more than 50000');
});

test('exposed_names keeps hostile keys as plain keys', () => {
  const group = groupOf(
    '{"name":"ops","included_tools":[],"exposed_names":{"__proto__":"a","constructor":"b"}}',
  );

  assert.is(group.exposedNames.get('constructor'), 'b');
  assert.is(group.exposedNames.get('toString'), undefined);
  assert.is(({} as Record<string, unknown>).a, undefined);
});

test('two tools exposed under one name are a problem', () => {
  const exposed_names = { a__x: 'read', b__x: 'read' };

  assert.match(problemOf({ name: 'ops', included_tools: ['a__x', 'b__x'], exposed_names }), 'seen as `read`');
});

test('an exposed name that is the own name of another member is a problem', () => {
  const exposed_names = { a__x: 'b__x' };

  assert.match(problemOf({ name: 'ops', included_tools: ['a__x', 'b__x'], exposed_names }), '`b__x`');
  assert.match(
    problemOf({ name: 'ops', included_tools: ['a__x'], included_servers: ['b'], exposed_names }),
    '`b__x`',
  );
});

test('two members may swap their names', () => {
  const exposed_names = { a__x: 'b__x', b__x: 'a__x' };

  assert.is(problemOf({ name: 'ops', included_tools: ['a__x', 'b__x'], exposed_names }), 'none');
});

test('two listed prompts exposed under one name are a problem', () => {
  const exposed_names = { a__p: 'ask', b__p: 'ask' };
  const included_prompts = ['a__p', 'b__p'];

  assert.match(
    problemOf({ name: 'ops', included_tools: [], included_prompts, exposed_names }),
    'two prompts',
  );
  assert.is(
    problemOf({ name: 'ops', included_tools: ['a__p'], included_prompts: [], exposed_names }),
    'none',
  );
});

test('a list of prompts or resources that is not there is another thing than an empty one', () => {
  const without = groupOf({ name: 'ops', included_tools: [] });
  const empty = groupOf({ name: 'ops', included_tools: [], included_prompts: [], included_resources: [] });

  assert.equal([without.includedPrompts, without.includedResources], [undefined, undefined]);
  assert.equal([empty.includedPrompts, empty.includedResources], [[], []]);
});

test('a change sets the list of prompts, and makes none where the file has none', () => {
  const lists = { includedTools: [], includedServers: [], excludedTools: [] };
  const written = (content: object, includedPrompts?: string[]) =>
    withChange(groupOf({ name: 'ops', included_tools: [], ...content }), { ...lists, includedPrompts });

  assert.equal(written({ included_prompts: ['a__p', 'b__p'] }, ['b__p']).included_prompts, ['b__p']);
  assert.equal(written({ included_prompts: ['a__p'] }).included_prompts, ['a__p']);
  assert.is(written({}, ['b__p']).included_prompts, undefined);
});

test('exposed names of tools outside the group are ignored', () => {
  const exposed_names = { a__x: 'read', b__x: 'read', c__x: 'read' };

  assert.is(
    problemOf({ name: 'ops', included_tools: ['a__x', 'c__x'], excluded_tools: ['c__x'], exposed_names }),
    'none',
  );
});

test('new lists leave unknown fields and the order of all fields as they were', () => {
  const group = groupOf({ x_first: 1, included_tools: ['a__x'], name: 'ops', x_last: { deep: [true] } });

  const text = formatGroup(withChange(group, { includedTools: [], includedServers: [], excludedTools: [] }));

  assert.is(
    text,
    '{\n  "x_first": 1,\n  "included_tools": [],\n  "name": "ops",\n  "x_last": {\n    "deep": [\n      true\n    ]\n  }\n}\n',
  );
});

test.run();
