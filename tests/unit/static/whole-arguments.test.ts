import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fieldsOf } from '../../../static/try-tool/schema-fields.js';
import { valuesOf, wholeOf } from '../../../static/try-tool/whole-arguments.js';

const test = suite('arguments as fields and as one JSON object');
const properties = {
  text: { type: 'string' },
  count: { type: 'integer', minimum: 1 },
  level: { enum: ['low', 'high'] },
  list: { type: 'array' },
  limit: { type: 'number', default: 10 },
};
const fields = fieldsOf({ type: 'object', properties, required: ['text'] }) ?? [];
const typed = (values: Record<string, string>) => new Map(Object.entries(values));
const back = (json: string, before: Record<string, string> = {}) => {
  const { values, problem } = valuesOf(fields, typed(before), json);
  assert.is(problem, '');
  return Object.fromEntries(values);
};
const problemOf = (json: string) => valuesOf(fields, typed({}), json).problem;

test('what was typed comes along, and back again', () => {
  const values = { text: 'a "b"\n', count: '3', level: '"high"', list: '[1, 2]', limit: '2.5' };

  const whole = wholeOf(fields, typed(values));

  assert.equal(JSON.parse(whole), { text: 'a "b"\n', count: 3, level: 'high', list: [1, 2], limit: 2.5 });
  assert.equal(back(whole, values), { ...values, list: '[\n  1,\n  2\n]' });
});

test('a field with a problem is left out of the object, and still typed when it is left again', () => {
  const values = { text: 'kept', count: '0', list: '[1,' };

  const whole = wholeOf(fields, typed(values));

  assert.equal(JSON.parse(whole), { text: 'kept', limit: 10 });
  assert.equal(back(whole, values), { text: 'kept', count: '0', level: '', list: '[1,', limit: '10' });
});

test('a large number stands in the object as it was typed', () => {
  assert.is(
    wholeOf(fields, typed({ count: '9007199254740993' })),
    '{\n  "count": 9007199254740993,\n  "limit": 10\n}',
  );
});

test('without arguments it is the empty object', () => {
  assert.is(wholeOf([], typed({})), '{}');
});

test('a member that was taken out leaves its field empty, a default too', () => {
  const emptied = { text: 'a', count: '', level: '', list: '', limit: '' };

  assert.equal(back('{"text":"a"}', { text: 'a', count: '3' }), emptied);
});

test('what the fields cannot hold is named', () => {
  assert.match(problemOf('{"text":"a","more":1}'), /no field “more”/);
  assert.match(problemOf('{"__proto__":1}'), /no field “__proto__”/);
  assert.match(problemOf('{"text":7}'), /value of “text”/);
  assert.match(problemOf('{"text":""}'), /value of “text”/);
  assert.match(problemOf('{"count":"3"}'), /value of “count”/);
  assert.match(problemOf('{"level":"medium"}'), /value of “level”/);
  assert.match(problemOf('{"list":[9007199254740993]}'), /number as large/);
  assert.match(problemOf('[]'), /JSON object/);
  assert.match(problemOf('{'), /not JSON/);
});

test.run();
