import {
  array,
  boolean,
  define,
  enums,
  integer,
  literal,
  nullable,
  object,
  optional,
  refine,
  string,
  type,
  unknown,
} from 'superstruct';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type AnyStruct,
  about,
  createSchemaWriter,
  described,
  either,
  mapOf,
  named,
} from '../../../lib/json/json-schema.ts';

const test = suite('JSON Schema of structs');

const schemaOf = (struct: AnyStruct) => createSchemaWriter((name) => `#/${name}`).write(struct);

test('objects have their fields, those that may be absent are not required', () => {
  const fields = { name: string(), size: optional(integer()) };
  const properties = { name: { type: 'string' }, size: { type: 'integer' } };

  assert.equal(schemaOf(object(fields)), {
    ...{ type: 'object', properties, required: ['name'] },
    additionalProperties: false,
  });
  assert.equal(schemaOf(type(fields)), { type: 'object', properties, required: ['name'] });
});

test('lists, maps, choices and values', () => {
  assert.equal(schemaOf(array(boolean())), { type: 'array', items: { type: 'boolean' } });
  assert.equal(schemaOf(enums(['a', 'b'])), { type: 'string', enum: ['a', 'b'] });
  assert.equal(schemaOf(literal(true)), { const: true });
  assert.equal(schemaOf(either(string(), integer())), { anyOf: [{ type: 'string' }, { type: 'integer' }] });
  assert.equal(schemaOf(mapOf(string(), integer())), {
    ...{ type: 'object', propertyNames: { type: 'string' } },
    additionalProperties: { type: 'integer' },
  });
});

test('what is described stays described within refinements and where it may be absent or null', () => {
  const size = described(integer(), { minimum: 1 });
  const even = refine(size, 'even', (value) => value % 2 === 0);

  assert.equal(schemaOf(optional(about(even, 'How many.'))), {
    type: 'integer',
    minimum: 1,
    description: 'How many.',
  });
  assert.equal(schemaOf(nullable(size)), { type: ['integer', 'null'], minimum: 1 });
  assert.ok(optional(about(even, 'x')).is(4));
  assert.not.ok(optional(about(even, 'x')).is(3));
});

test('null: choices have it, references and values are one of two, and what may be anything may be null', () => {
  assert.equal(schemaOf(nullable(enums(['a']))), { type: ['string', 'null'], enum: ['a', null] });
  assert.equal(schemaOf(nullable(named('Part', object({})))), {
    anyOf: [{ $ref: '#/Part' }, { type: 'null' }],
  });
  assert.equal(schemaOf(nullable(literal(1))), { anyOf: [{ const: 1 }, { type: 'null' }] });
  assert.equal(
    schemaOf(
      about(
        define('x', () => true),
        'x',
      ),
    ),
    { description: 'x' },
  );
  assert.equal(schemaOf(unknown()), {});
});

test('a named struct is a component, and what is said of it where it is used stands beside the reference', () => {
  const writer = createSchemaWriter((name) => `#/${name}`);
  const Part = named('Part', type({ name: string() }));

  const schema = writer.write(object({ one: Part, two: about(Part, 'The other.') }));

  const { properties } = schema as { properties: unknown };
  assert.equal(properties, { one: { $ref: '#/Part' }, two: { $ref: '#/Part', description: 'The other.' } });
  assert.equal(Object.keys(writer.components()), ['Part']);
});

test.run();
