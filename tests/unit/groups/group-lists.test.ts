import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { groupNames, replaceNames, switchOff, switchOn } from '../../../lib/groups/group-lists.ts';
import type { GroupLists } from '../../../lib/groups/groups.ts';

const test = suite('group lists');

const offered: Record<string, string[]> = { a: ['a__2', 'a__1'], b: ['b__1'] };
const toolsOf = (server: string) => offered[server] ?? [];

function lists(included: string[], servers: string[] = [], excluded: string[] = []): GroupLists {
  return { includedTools: included, includedServers: servers, excludedTools: excluded };
}

test('names are the listed tools in file order, then those of the servers by name, each once', () => {
  assert.equal(groupNames(lists(['z__9', 'a__1', 'z__9'], ['b', 'a']), toolsOf), [
    'z__9',
    'a__1',
    'a__2',
    'b__1',
  ]);
});

test('tools of a server that is in as a whole stand in its own order', () => {
  assert.equal(groupNames(lists([], ['b', 'a', 'b']), toolsOf), ['a__2', 'a__1', 'b__1']);
});

test('an excluded tool is out, whatever brings it in', () => {
  assert.equal(groupNames(lists(['a__1', 'z__9'], ['a'], ['a__1', 'z__9']), toolsOf), ['a__2']);
});

test('a listed name that no server offers stays', () => {
  assert.equal(groupNames(lists(['gone__tool']), toolsOf), ['gone__tool']);
});

test('switching on appends at the end', () => {
  assert.equal(switchOn(lists(['b__1']), 'a__1', toolsOf).includedTools, ['b__1', 'a__1']);
});

test('switching on a tool that its server brings in only lifts the exclusion', () => {
  assert.equal(switchOn(lists([], ['a'], ['a__1']), 'a__1', toolsOf), lists([], ['a'], []));
});

test('switching off a listed tool drops it and excludes nothing', () => {
  assert.equal(switchOff(lists(['a__1', 'b__1']), 'a__1', toolsOf), lists(['b__1']));
});

test('switching off a tool that a server still brings in excludes it', () => {
  assert.equal(switchOff(lists(['a__1'], ['a']), 'a__1', toolsOf), lists([], ['a'], ['a__1']));
});

test('replacing keeps the given order and unlists nothing that was listed', () => {
  assert.equal(replaceNames(lists(['a__1', 'b__1']), ['b__1', 'z__9', 'a__1'], toolsOf).includedTools, [
    'b__1',
    'z__9',
    'a__1',
  ]);
});

test('replacing excludes what a server brings in beside the given names', () => {
  assert.equal(replaceNames(lists([], ['a']), ['a__1', 'b__1'], toolsOf), lists(['b__1'], ['a'], ['a__2']));
});

const anyName = fc.constantFrom('a__1', 'a__2', 'b__1', 'c__1', 'gone__x', '__proto__', 'constructor');
const anyLists = fc.record({
  includedTools: fc.array(anyName, { maxLength: 6 }),
  includedServers: fc.array(fc.constantFrom('a', 'b', 'none'), { maxLength: 3 }),
  excludedTools: fc.array(anyName, { maxLength: 4 }),
});

test('replacing gives exactly the given set, from any file', () => {
  const property = fc.property(anyLists, fc.uniqueArray(anyName), (before, wanted) => {
    const after = groupNames(replaceNames(before, wanted, toolsOf), toolsOf);
    assert.equal([...after].sort(), [...wanted].sort());
  });
  fc.assert(property, { numRuns: 2000 });
});

test('switching changes the one tool and no other, from any file', () => {
  const property = fc.property(anyLists, anyName, fc.boolean(), (before, name, on) => {
    const change = on ? switchOn : switchOff;
    const others = (from: GroupLists) => new Set(groupNames(from, toolsOf).filter((each) => each !== name));
    const after = change(before, name, toolsOf);
    assert.is(groupNames(after, toolsOf).includes(name), on);
    assert.equal(others(after), others(before));
  });
  fc.assert(property, { numRuns: 2000 });
});

test.run();
