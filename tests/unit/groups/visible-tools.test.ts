import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseGroup } from '../../../lib/groups/files/parse-group.ts';
import { visibleTools } from '../../../lib/groups/visible/visible-tools.ts';
import { knownTools } from './known-tools.ts';

const test = suite('visibleTools');

function groupOf(fields: Record<string, unknown>) {
  const text = JSON.stringify({ name: 'ops', included_tools: [], ...fields });
  const parsed = parseGroup('ops', { text, etag: '"1"', modifiedAt: new Date(0) });
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.group;
}

test("lists the known tools in the group's order and leaves vanished ones out", () => {
  const catalog = knownTools({ a: ['x', 'y'], b: ['z'] });
  const group = groupOf({ included_tools: ['b__z', 'gone__x', 'a__y'], included_servers: ['a'] });

  assert.equal([...visibleTools(group, catalog).keys()], ['b__z', 'a__y', 'a__x']);
});

test('an exposed name replaces the full one', () => {
  const catalog = knownTools({ a: ['x'] });
  const visible = visibleTools(
    groupOf({ included_tools: ['a__x'], exposed_names: { a__x: 'read' } }),
    catalog,
  );

  assert.is(visible.get('read')?.tool.fullName, 'a__x');
  assert.is(visible.get('a__x'), undefined);
});

test('names of object members are not tools', () => {
  const catalog = knownTools({ a: ['x'] });
  const visible = visibleTools(groupOf({ included_tools: ['a__x', '__proto__', 'constructor'] }), catalog);

  assert.is(visible.get('constructor'), undefined);
  assert.is(visible.get('__proto__'), undefined);
  assert.is(visible.size, 1);
});

for (const name of ['x'.repeat(129), 'a\nb', 'a\u202eb', 'a\u200bb', '\u2028']) {
  test(`a tool named ${JSON.stringify(name).slice(0, 20)} is seen only under another name`, () => {
    const catalog = knownTools({ a: [name, 'x'] });
    const included = { included_servers: ['a'] };

    assert.equal([...visibleTools(groupOf(included), catalog).keys()], ['a__x']);
    const renamed = groupOf({ ...included, exposed_names: { [`a__${name}`]: 'other' } });
    assert.is(visibleTools(renamed, catalog).get('other')?.tool.name, name);
    const asBad = groupOf({ ...included, exposed_names: { a__x: name } });
    assert.is(visibleTools(asBad, catalog).size, 0);
  });
}

test('odd names that clients cope with are seen', () => {
  const names = ['x'.repeat(128), 'mit Leerzeichen', 'größe', '名前', 'a/b:c', '🙂'];
  const visible = visibleTools(groupOf({ included_servers: ['a'] }), knownTools({ a: names }));

  assert.is(visible.size, names.length);
});

test.run();
