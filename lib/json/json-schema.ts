import { type Infer, record, Struct, union } from 'superstruct';

/**
 * Structs as JSON Schema (draft 2020-12, json-schema.org), the dialect of OpenAPI 3.1. The library keeps the type and
 * the fields of a struct but not what its refinements demand, so `described` and the functions below add that.
 */

export type JsonSchema = Readonly<Record<string, unknown>>;

// biome-ignore lint/suspicious/noExplicitAny: structs of all types, as the library's own signatures have them.
export type AnyStruct = Struct<any, any>;

/** The type of a struct's values, read-only. */
export type ValueOf<Type extends AnyStruct> = ReadonlyValue<Infer<Type>>;

type ReadonlyValue<Type> = Type extends readonly (infer Element)[]
  ? readonly ReadonlyValue<Element>[]
  : Type extends object
    ? { readonly [Key in keyof Type]: ReadonlyValue<Type[Key]> }
    : Type;

type Write = (struct: AnyStruct) => JsonSchema;

/** Takes the place of the library's `schema` of a struct, which `optional`, `nullable` and `refine` pass on. */
class Description {
  readonly described: unknown;
  readonly keywords: (write: Write) => JsonSchema;
  /** Of the component that a document has for it. */
  readonly name: string | undefined;

  constructor(described: unknown, keywords: (write: Write) => JsonSchema, name: string | undefined) {
    this.described = described;
    this.keywords = keywords;
    this.name = name;
  }
}

/** The struct, with further keywords of its JSON Schema. */
export function described<Type extends AnyStruct>(struct: Type, keywords: JsonSchema): Type {
  return withDescription(struct, () => keywords);
}

/** The struct, with one sentence for readers. */
export function about<Type extends AnyStruct>(struct: Type, description: string): Type {
  return described(struct, { description });
}

/** The struct, as a component of its own in a document. */
export function named<Type extends AnyStruct>(name: string, struct: Type): Type {
  return withDescription(struct, () => ({}), name);
}

/** An object of any keys that fit, whose values are all of one kind. */
export function mapOf<Value>(
  key: Struct<string, unknown>,
  value: Struct<Value, unknown>,
): Struct<Record<string, Value>, null> {
  const schemas = (write: Write) => ({ propertyNames: write(key), additionalProperties: write(value) });
  return withDescription(record(key, value), schemas);
}

/** A value of one of two kinds. */
export function either<A, B>(a: Struct<A, unknown>, b: Struct<B, unknown>): Struct<A | B, null> {
  const schemas = (write: Write) => ({ anyOf: [write(a), write(b)] });
  return withDescription(union([a as AnyStruct, b as AnyStruct]), schemas) as Struct<A | B, null>;
}

function withDescription<Type extends AnyStruct>(
  struct: Type,
  keywords: (write: Write) => JsonSchema,
  name?: string,
): Type {
  return new Struct({ ...struct, schema: new Description(struct.schema, keywords, name) }) as Type;
}

/** Whether a field of this struct may be absent. What may be anything may be absent, too. */
export function isOptional(struct: AnyStruct): boolean {
  return struct.is(undefined);
}

export interface SchemaWriter {
  /** @throws Error when a struct of its own kind was not described. */
  write(struct: AnyStruct): JsonSchema;
  /** The named structs of all that was written, by name. */
  components(): Readonly<Record<string, JsonSchema>>;
}

/** @param refersTo The address of a component within the document. */
export function createSchemaWriter(refersTo: (name: string) => string): SchemaWriter {
  const components = new Map<string, JsonSchema>();

  function write(struct: AnyStruct): JsonSchema {
    const schema = shapeOf(struct.type, struct.schema);
    return struct.type !== 'unknown' && struct.is(null) ? orNull(schema) : schema;
  }

  function shapeOf(type: string, shape: unknown): JsonSchema {
    if (!(shape instanceof Description)) return plainShape(type, shape);
    const schema = { ...shapeOf(type, shape.described), ...shape.keywords(write) };
    if (shape.name === undefined) return schema;
    components.set(shape.name, schema);
    return { $ref: refersTo(shape.name) };
  }

  function plainShape(type: string, shape: unknown): JsonSchema {
    switch (type) {
      case 'object':
        return { ...objectShape(shape), additionalProperties: false };
      case 'type':
        return objectShape(shape);
      case 'array':
        return { type: 'array', items: write(shape as AnyStruct) };
      case 'enums':
        return { type: 'string', enum: Object.values(shape as object) };
      case 'literal':
        return { const: shape };
      case 'record':
        return { type: 'object' };
      case 'string':
      case 'number':
      case 'integer':
      case 'boolean':
        return { type };
      default:
        return {};
    }
  }

  function objectShape(shape: unknown): JsonSchema {
    const fields = Object.entries((shape ?? {}) as Record<string, AnyStruct>);
    const required = fields.filter(([, struct]) => !isOptional(struct)).map(([name]) => name);
    return {
      type: 'object',
      properties: Object.fromEntries(fields.map(([name, struct]) => [name, write(struct)])),
      ...(required.length > 0 ? { required } : {}),
    };
  }

  return { write, components: () => Object.fromEntries([...components].sort(byName)) };
}

/** A schema that says nothing of the type allows `null` already. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, ...rest } = schema;
  if (typeof type === 'string') {
    return { type: [type, 'null'], ...rest, ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
  }
  const isRestricted = ['$ref', 'const', 'anyOf'].some((keyword) => keyword in schema);
  return isRestricted ? { anyOf: [schema, { type: 'null' }] } : schema;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
