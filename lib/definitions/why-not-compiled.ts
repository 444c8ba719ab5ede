import { isObject } from '../json/parse-json.ts';
import { isPattern } from './is-pattern.ts';
import { type Anchors, findTarget, readAnchors } from './schema-references.ts';

/**
 * Whether the validator of the official TypeScript client of version 1 (Ajv 8, JSON Schema draft-07, not strict) compiles a
 * schema. It compiles every `outputSchema` of a list, and one that it cannot compile costs the client all tools. Here
 * schemas are only traversed: compiling runs code made of the schema, and takes a thousand times as long.
 */
type Kind = 'schema' | 'list' | 'map' | 'items' | 'dependencies';

/**
 * Keywords with schemas in them, in the order in which they are compiled. Two are of later drafts, and wrong for clients
 * that read those: `prefixItems` and `dependentSchemas`.
 */
const applicators: readonly (readonly [string, Kind])[] = [
  ['not', 'schema'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['allOf', 'list'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['additionalItems', 'schema'],
  ['items', 'items'],
  ['prefixItems', 'list'],
  ['contains', 'schema'],
  ['dependencies', 'dependencies'],
  ['dependentSchemas', 'map'],
  ['propertyNames', 'schema'],
  ['additionalProperties', 'schema'],
  ['properties', 'map'],
  ['patternProperties', 'map'],
];

const keywordsWithInner = new Set(['$ref', ...applicators.map(([keyword]) => keyword)]);

const isNumber = (value: unknown) => typeof value === 'number';
const isString = (value: unknown) => typeof value === 'string';
const isStrings = (value: unknown) => Array.isArray(value) && value.every(isString);
const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const isType = (value: unknown) => isString(value) && types.includes(String(value));

/** Whether a keyword without schemas in it has a valid value, given the rest of its schema. */
type PlainRule = (value: unknown, schema: Record<string, unknown>) => boolean;

const plain: ReadonlyMap<string, PlainRule> = new Map([
  ['type', (value) => isType(value) || (Array.isArray(value) && value.every(isType))],
  ['required', isStrings],
  ['enum', (value) => Array.isArray(value) && value.length > 0],
  ['format', isString],
  ['pattern', (value) => typeof value === 'string' && isPattern(value)],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map(number),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(number),
  ...['formatMinimum', 'formatMaximum', 'formatExclusiveMinimum', 'formatExclusiveMaximum'].map(formatBound),
  ['uniqueItems', (value) => typeof value === 'boolean'],
  ['nullable', isNullable],
  ['$id', (value) => !value || isString(value)],
  // Of draft-04, which Ajv does not read.
  ['id', () => false],
  // Compiled to an asynchronous function, whose promise the client takes for "valid".
  ['$async', (value) => !value],
]);

function number(keyword: string): [string, PlainRule] {
  return [keyword, isNumber];
}

/** The formats of ajv-formats, which the client adds, that have an order. */
const ordered: readonly unknown[] = ['date', 'time', 'date-time', 'iso-time', 'iso-date-time'];

function formatBound(keyword: string): [string, PlainRule] {
  return [keyword, (value, { format }) => isString(value) && ordered.includes(format)];
}

/** Of OpenAPI: `nullable` adds `null` to a type, so there has to be one. */
function isNullable(value: unknown, { type }: Record<string, unknown>): boolean {
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return value === true;
  const isWithoutType = type === undefined || (Array.isArray(type) && type.length === 0);
  return typeof value === 'boolean' && !isWithoutType;
}

/** Compiling takes stack for every level, and more for every reference; this is half of the available stack. */
const mostLevels = 300;
const levelsOfReference = 3;
/** Referenced schemas without references are compiled again at each reference. */
const mostRepeated = 5_000;

/** Continues "its outputSchema …"; undefined: it compiles. @param schema An object, parsed. */
export function whyNotCompiled(schema: Record<string, unknown>): string | undefined {
  try {
    const anchors = readAnchors(schema);
    if (typeof anchors === 'string') return anchors;
    new Compilation(schema, anchors).visit(schema, 0);
    return undefined;
  } catch (error) {
    if (error instanceof NotCompiled) return error.message;
    throw error;
  }
}

class NotCompiled extends Error {}

class Compilation {
  readonly #root: Record<string, unknown>;
  readonly #anchors: Anchors;
  readonly #compiled = new Set<unknown>();
  /** Referenced schema without references → how many schemas it holds. */
  readonly #sizes = new Map<unknown, number>();
  /** Schemas whose chain of references is known to end. */
  readonly #leading = new Set<unknown>();
  #repeated = 0;
  #visited = 0;

  constructor(root: Record<string, unknown>, anchors: Anchors) {
    this.#root = root;
    this.#anchors = anchors;
    this.#compiled.add(root);
  }

  visit(schema: unknown, level: number): void {
    this.#visited++;
    if (typeof schema === 'boolean') return;
    if (!isObject(schema)) throw new NotCompiled('has something in it where a schema has to be');
    if (level > mostLevels) throw new NotCompiled('nests too deep');
    let hasInner = false;
    for (const [keyword, value] of Object.entries(schema)) {
      if (plain.get(keyword)?.(value, schema) === false) throw notAsItShould(keyword);
      hasInner ||= keywordsWithInner.has(keyword);
    }
    if (!hasInner) return;
    if (schema.$ref !== undefined) this.#follow(schema.$ref, level);
    for (const [keyword, kind] of applicators) {
      if (Object.hasOwn(schema, keyword)) this.#apply(keyword, kind, schema[keyword], level + 1);
    }
  }

  #apply(keyword: string, kind: Kind, value: unknown, level: number): void {
    if (kind === 'schema' || (kind === 'items' && !Array.isArray(value))) {
      this.visit(value, level);
      return;
    }
    if (kind === 'list' || kind === 'items') {
      if (!Array.isArray(value)) throw notAsItShould(keyword);
      for (const one of value) this.visit(one, level);
      return;
    }
    if (!isObject(value)) throw notAsItShould(keyword);
    for (const [key, one] of Object.entries(value)) {
      if (keyword === 'patternProperties' && !isPattern(key)) throw notAsItShould(keyword);
      if (kind === 'dependencies' && Array.isArray(one)) {
        if (!isStrings(one)) throw notAsItShould(keyword);
      } else this.visit(one, level);
    }
  }

  #follow(reference: unknown, level: number): void {
    if (typeof reference !== 'string') throw notAsItShould('$ref');
    const target = findTarget(this.#root, this.#anchors, reference);
    if (target === undefined) throw new NotCompiled(`refers to ${quoted(reference)}, which is not in it`);
    if (target === 'elsewhere' || this.#compiled.has(target)) return;
    this.#assertLeadsSomewhere(target);
    const size = this.#sizes.get(target);
    if (size !== undefined) {
      this.#repeated += size;
      if (this.#repeated > mostRepeated) throw new NotCompiled('refers to its parts too often');
      return;
    }
    if (hasReference(target)) {
      this.#compiled.add(target);
      this.visit(target, level + levelsOfReference);
      return;
    }
    const before = this.#visited;
    this.visit(target, level + 1);
    this.#sizes.set(target, this.#visited - before);
  }

  /** References that only lead to one another would be followed forever. */
  #assertLeadsSomewhere(start: unknown): void {
    const passed = new Set<unknown>();
    let at = start;
    while (isObject(at) && typeof at.$ref === 'string' && !this.#leading.has(at)) {
      if (passed.has(at)) throw new NotCompiled('has references that lead to one another');
      passed.add(at);
      at = findTarget(this.#root, this.#anchors, at.$ref);
    }
    for (const one of passed) this.#leading.add(one);
  }
}

function hasReference(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasReference);
  if (!isObject(value)) return false;
  return Object.hasOwn(value, '$ref') || Object.values(value).some(hasReference);
}

function notAsItShould(keyword: string): NotCompiled {
  return new NotCompiled(`has a \`${keyword}\` that is none`);
}

function quoted(reference: string): string {
  return JSON.stringify(reference.slice(0, 100));
}
