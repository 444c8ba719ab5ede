import { array, enums, object, optional, size, string, type } from 'superstruct';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../../lib/failure.ts';
import { check } from '../../../lib/json/check.ts';

const test = suite('check');
const Body = object({
  name: optional(size(string(), 1, 4)),
  mode: optional(enums(['fast', 'slow'])),
  list: optional(array(object({ id: string() }))),
  inner: optional(type({ id: string() })),
});

function refusal(value: unknown): string {
  try {
    check(value, Body);
    return 'none';
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid_params') return error.message;
    throw error;
  }
}

test('names the field and what was expected, never what was received', () => {
  assert.is(
    refusal({ name: 'secret' }),
    'Field `name`: expected a string with a length between `1` and `4`.',
  );
  assert.is(refusal({ mode: 'secret' }), 'Field `mode`: expected one of `"fast","slow"`.');
  assert.is(refusal({ list: [{ id: 'a' }, { id: 1 }] }), 'Field `list.1.id`: expected a string.');
  assert.is(refusal({ list: 'secret' }), 'Field `list`: expected an array.');
  assert.is(refusal({ inner: 'secret' }), 'Field `inner`: expected an object.');
  assert.is(refusal('secret'), 'Expected an object.');
  assert.is(refusal({}), 'none');
});

test('an unknown field is named, also a very long one', () => {
  assert.is(refusal({ colour: 1 }), 'Unknown field `colour`.');
  assert.ok(refusal({ ['x'.repeat(100_000)]: 1 }).length < 200);
});

test('an object that cannot be printed is refused like any other', () => {
  assert.is(refusal({ name: { toString: 1, valueOf: 1 } }), 'A value is of the wrong type.');
});

test.run();
