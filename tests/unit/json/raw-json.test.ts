import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { elementsOf, membersOf, memberText, replaceMembers } from '../../../lib/json/raw-json.ts';

const test = suite('raw JSON');

test('finds each member with the span of its value', () => {
  const text = ' { "a" : 1 , "b":{"c":[1,2,{"d":"}"}]},"e":"x" }';

  const members = membersOf(text).map(({ key, start, end }) => [key, text.slice(start, end)]);

  assert.equal(members, [
    ['a', '1'],
    ['b', '{"c":[1,2,{"d":"}"}]}'],
    ['e', '"x"'],
  ]);
});

test('begins at the given position', () => {
  const text = '{"params":{"name":"echo"}}';

  assert.equal(memberText(text, 'name', text.indexOf('{', 1)), '"echo"');
});

test('decodes escaped keys', () => {
  assert.equal(memberText('{"n\\u0061me":"x"}', 'name'), '"x"');
  assert.equal(memberText('{"a\\"b":1}', 'a"b'), '1');
});

test('does not take a string that ends in escaped backslashes for an open one', () => {
  assert.equal(memberText('{"a":"\\\\\\\\","b":2}', 'b'), '2');
  assert.equal(memberText('{"a":"\\\\\\"","b":2}', 'b'), '2');
});

test('reads the last of several members of one name, as JSON.parse does', () => {
  const text = '{"name":"shown","name":"hidden"}';

  assert.equal(memberText(text, 'name'), '"hidden"');
  assert.equal(JSON.parse(text).name, 'hidden');
});

test('replaces every member of that name, escaped spellings too', () => {
  const text = '{"name":"a","x":1,"n\\u0061me":"b"}';

  assert.equal(replaceMembers(text, 0, { name: '"c"' }), '{"name":"c","x":1,"n\\u0061me":"c"}');
});

test('replaces a nested member through the old text of its parent', () => {
  const text = '{"_meta": {"progressToken":"theirs","other":12345678901234567890}}';

  const replaced = replaceMembers(text, 0, {
    _meta: (meta) => replaceMembers(meta, 0, { progressToken: '7' }),
  });

  assert.equal(replaced, '{"_meta": {"progressToken":7,"other":12345678901234567890}}');
});

test('leaves text without such a member as it is', () => {
  assert.is(replaceMembers('{"a":1}', 0, { name: '2' }), '{"a":1}');
});

test('is not confused by keys that every object inherits', () => {
  assert.equal(
    replaceMembers('{"__proto__":1,"toString":2}', 0, { name: '3' }),
    '{"__proto__":1,"toString":2}',
  );
});

test('finds nothing in values that are no objects or arrays', () => {
  for (const text of ['1', '"{"', '[{"a":1}]', 'null', '{}', ' { } ']) assert.equal(membersOf(text), []);
  for (const text of ['1', '"["', '{"a":[1]}', '[]', '[ ]']) assert.equal(elementsOf(text), []);
});

test('splits arrays', () => {
  const text = '[1, "a,b" ,[2,3],{"c":"]"} , null]';

  const elements = elementsOf(text).map(({ start, end }) => text.slice(start, end));

  assert.equal(elements, ['1', '"a,b"', '[2,3]', '{"c":"]"}', 'null']);
});

const indent = fc.constantFrom(undefined, 1, '\t');

test('agrees with JSON.parse about every member of any object', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), indent, (value, space) => {
      const text = JSON.stringify(value, null, space);
      const found = membersOf(text).map(({ key, start, end }) => [key, JSON.parse(text.slice(start, end))]);
      assert.equal(found, Object.entries(JSON.parse(text)));
    }),
  );
});

test('agrees with JSON.parse about every element of any array', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), indent, (value, space) => {
      const text = JSON.stringify(value, null, space);
      assert.equal(
        elementsOf(text).map(({ start, end }) => JSON.parse(text.slice(start, end))),
        JSON.parse(text),
      );
    }),
  );
});

test('changes the replaced members only', () => {
  const object = fc.dictionary(fc.constantFrom('name', 'id', 'a"b', 'é'), fc.jsonValue());
  fc.assert(
    fc.property(object, indent, (value, space) => {
      const text = JSON.stringify(value, null, space);
      const expected = JSON.parse(text);
      if (Object.hasOwn(expected, 'name')) expected.name = [1];
      assert.equal(JSON.parse(replaceMembers(text, 0, { name: '[1]' })), expected);
    }),
  );
});

test('reads a megabyte in linear time', () => {
  const text = `{"a":[${'{"k":"v\\\\"},'.repeat(90_000)}0],"b":1}`;
  const started = performance.now();

  assert.equal(memberText(text, 'b'), '1');
  assert.ok(performance.now() - started < 500);
});

test.run();
