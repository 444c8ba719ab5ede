import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseGroup } from '../../../lib/groups/parse-group.ts';
import { visibleTools } from '../../../lib/groups/visible-tools.ts';
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

test.run();
