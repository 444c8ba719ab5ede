import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { argumentsOf, fieldsOf, objectProblem } from '../../../static/try-tool/schema-fields.js';

const test = suite('forms from JSON schemas');
const schema = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });
const fields = (properties: object, required: string[] = []) => fieldsOf(schema(properties, required)) ?? [];
const typed = (values: Record<string, string>) => new Map(Object.entries(values));
const kindOf = (property: object) => fields({ it: property })[0]?.kind;

test('each type has its kind of field, and what cannot be shown is typed as JSON', () => {
  assert.is(kindOf({ type: 'string' }), 'text');
  assert.is(kindOf({ type: 'number' }), 'number');
  assert.is(kindOf({ type: 'integer' }), 'integer');
  assert.is(kindOf({ type: 'boolean' }), 'choice');
  assert.is(kindOf({ enum: ['a', 1] }), 'choice');
  assert.is(kindOf({ type: 'array', items: { type: 'string' } }), 'json');
  assert.is(kindOf({ anyOf: [{ type: 'string' }, { type: 'number' }] }), 'json');
  assert.is(kindOf({ type: ['string', 'number'] }), 'json');
  assert.is(kindOf({}), 'json');
});

test('“or null” and references into the same schema are seen through', () => {
  assert.is(kindOf({ type: ['string', 'null'] }), 'text');
  assert.is(kindOf({ anyOf: [{ type: 'integer' }, { type: 'null' }] }), 'integer');
  const referring = { ...schema({ unit: { $ref: '#/$defs/Unit' } }), $defs: { Unit: { enum: ['C', 'F'] } } };
  assert.equal(
    fieldsOf(referring)?.[0]?.choices?.map(({ label }) => label),
    ['C', 'F'],
  );
});

test('a tool without properties takes none, and one that takes any takes JSON', () => {
  assert.equal(fieldsOf({ type: 'object' }), []);
  assert.is(fieldsOf({ type: 'object', additionalProperties: true }), undefined);
  assert.is(fieldsOf({ oneOf: [schema({}), schema({})] }), undefined);
});

test('defaults are filled in, and sent unless they are changed', () => {
  const form = fields({ count: { type: 'integer', default: 5 }, deep: { type: 'boolean', default: false } });

  assert.is(argumentsOf(form, typed({})).json, '{"count":5,"deep":false}');
  assert.is(argumentsOf(form, typed({ count: '7' })).json, '{"count":7,"deep":false}');
});

test('an empty optional field is left out, an empty required one is a problem', () => {
  const form = fields({ a: { type: 'string' }, b: { type: 'string' } }, ['b']);

  const { json, problems } = argumentsOf(form, typed({}));

  assert.is(json, '{}');
  assert.equal([...problems.keys()], ['b']);
});

test('text is sent as text even when it looks like something else', () => {
  assert.is(argumentsOf(fields({ a: { type: 'string' } }), typed({ a: '17"\n' })).json, '{"a":"17\\"\\n"}');
});

test('a number beyond what JavaScript can hold arrives as it was typed', () => {
  const form = fields({ id: { type: 'integer' } });

  assert.is(argumentsOf(form, typed({ id: '9007199254740993' })).json, '{"id":9007199254740993}');
});

test('numbers are checked against their kind and bounds', () => {
  const form = fields({ n: { type: 'integer', minimum: 1, maximum: 9 } });
  const problemOf = (n: string) => argumentsOf(form, typed({ n })).problems.get('n');

  assert.is(problemOf('3'), undefined);
  assert.match(problemOf('x') ?? '', /number/);
  assert.match(problemOf('1.5') ?? '', /whole/);
  assert.match(problemOf('0') ?? '', /at least 1/i);
  assert.match(problemOf('10') ?? '', /at most 9/i);
});

test('lists and objects are checked to be JSON', () => {
  const form = fields({ list: { type: 'array' } });

  assert.is(argumentsOf(form, typed({ list: '["a", 1]' })).json, '{"list":["a", 1]}');
  assert.match(argumentsOf(form, typed({ list: '[a' })).problems.get('list') ?? '', /not JSON/);
});

test('choices keep their JSON value', () => {
  const form = fields({ level: { enum: [1, 'high', null] } });

  assert.equal(
    form[0]?.choices?.map(({ json }) => json),
    ['1', '"high"', 'null'],
  );
  assert.is(argumentsOf(form, typed({ level: '"high"' })).json, '{"level":"high"}');
});

test('a hostile schema is no more than odd text', () => {
  const hostile = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string","title":{},"description":7},"x":null},"required":"all"}',
  );

  const form = fieldsOf(hostile) ?? [];

  assert.equal(
    form.map(({ name, title, description }) => [name, title, description]),
    [
      ['__proto__', '', ''],
      ['x', '', ''],
    ],
  );
  assert.is(argumentsOf(form, typed({ x: '1' })).json, '{"x":1}');
  assert.equal(fieldsOf(null), []);
});

test('arguments typed as a whole must be an object', () => {
  assert.is(objectProblem('{"a":1}'), '');
  assert.match(objectProblem('[1]'), /object/);
  assert.match(objectProblem('{'), /not JSON/);
});

test.run();
