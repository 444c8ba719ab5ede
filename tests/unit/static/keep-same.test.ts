import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { keepSame } from '../../../static/lib/keep-same.js';

const test = suite('what stays the same object over a refresh');

test('an equal answer is the object that is there already', () => {
  const before = { servers: [{ name: 'a', tools: ['x'] }] };
  assert.is(keepSame(before, structuredClone(before)), before);
});

test('only what changed, and what it is part of, is new', () => {
  const before = { a: [{ name: 'a1' }, { name: 'a2' }], b: [{ name: 'b1' }] };
  const after = keepSame(before, { a: [{ name: 'a1' }, { name: 'other' }], b: [{ name: 'b1' }] });

  assert.is.not(after, before);
  assert.is(after.b, before.b);
  assert.is.not(after.a, before.a);
  assert.is(after.a[0], before.a[0]);
  assert.equal(after.a[1], { name: 'other' });
});

test('what was added, removed or moved is seen', () => {
  const before = { list: [1, 2], map: { a: 1 } };
  assert.equal(keepSame(before, { list: [1], map: { a: 1, b: 2 } }), { list: [1], map: { a: 1, b: 2 } });
  assert.equal(keepSame({ list: [1, 2] }, { list: [2, 1] }), { list: [2, 1] });
  assert.equal(keepSame({ a: 1 }, { b: undefined }), { b: undefined });
});

test('a list and an object with the same keys are not the same', () => {
  assert.equal(keepSame({ value: { 0: 'a' } }, { value: ['a'] }), { value: ['a'] });
});

test('a name that every object inherits is a name like others', () => {
  const after = JSON.parse('{"constructor":{"a":1},"__proto__":{"b":2}}');
  assert.is(JSON.stringify(keepSame({}, after)), '{"constructor":{"a":1},"__proto__":{"b":2}}');
});

test.run();
