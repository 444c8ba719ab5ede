import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { groupNamePattern, isGroupName, longestGroupName } from '../../../lib/names/names.ts';

const test = suite('names that people choose');

test('a group is named by letters, digits, dots, dashes and underscores, and begins with a letter or digit', () => {
  for (const name of ['a', '7', 'Team-1.new_x', 'a.b.c', 'x'.repeat(longestGroupName)])
    assert.ok(isGroupName(name), name);
  const refused = ['', '.a', '-a', '_a', 'a..b', 'a/b', 'a b', 'é', 'a\n', 'x'.repeat(longestGroupName + 1)];
  for (const name of refused) assert.not(isGroupName(name), name);
});

test('the pattern of group names says the same to a browser', () => {
  const ofBrowser = new RegExp(`^(?:${groupNamePattern.source})$`, 'v');
  for (const name of ['Team-1.new_x', 'a..b', '-a', 'a b'])
    assert.is(ofBrowser.test(name), isGroupName(name), name);
});

test.run();
