/**
 * Definitions as servers might list them, every other one lawful. The same seed gives the same ones on every machine, so
 * that clients of other languages can be given them too.
 */
export interface GeneratedDefinition {
  /** Raw JSON text. */
  readonly definition: string;
  /** By revision 2025-11-25, and nothing in it that a current client refuses all the same. */
  readonly isLawful: boolean;
}

export type GeneratedKind = 'tools' | 'prompts' | 'resources' | 'templates';

export function generateDefinitions(kind: GeneratedKind, count: number, seed = 1): GeneratedDefinition[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const value = lawful[kind](random, index);
    const isLawful = index % 2 === 0;
    const definition = isLawful ? toText(value, random) : spoiledText(kind, value, random);
    return { definition, isLawful };
  });
}

type Json = null | boolean | number | string | Raw | Json[] | JsonObject;
interface JsonObject {
  [key: string]: Json;
}

/** Text that is written as it is. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

interface Random {
  /** From 0 to below 1. */
  next(): number;
  below(limit: number): number;
  chance(part: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32. */
function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (part) => next() < part,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
  };
}

const words = [
  'alpha',
  'béta',
  'γ',
  '日本',
  'a b',
  'x-y',
  'e123456',
  '😀',
  'quote"',
  'back\\slash',
  'line\nbreak',
  '',
];
const keys = [
  'id',
  'name',
  'type',
  '$ref',
  '$id',
  'properties',
  'required',
  '__proto__',
  'constructor',
  'a b',
  'ü',
  'q',
];
const numbers = [
  0,
  -1,
  1.5,
  1e21,
  new Raw('1.0'),
  new Raw('12345678901234567890'),
  new Raw('-0'),
  new Raw('1E+2'),
];

const text = (random: Random) => random.pick(words) + random.pick(words);

function optionally(random: Random, members: Record<string, () => Json>): JsonObject {
  const object: JsonObject = Object.create(null);
  for (const [key, make] of Object.entries(members)) if (random.chance(0.4)) object[key] = make();
  return object;
}

const list = (random: Random, most: number, make: () => Json): Json[] =>
  Array.from({ length: random.below(most + 1) }, make);

function schema(random: Random, level: number, references: readonly string[]): Json {
  const inner = () => (level > 2 ? { type: 'string' } : schema(random, level + 1, references));
  return random.pick<() => Json>([
    () => ({
      type: random.pick(['string', 'number', 'integer', 'boolean', 'null']),
      description: text(random),
    }),
    () => ({
      type: 'string',
      pattern: random.pick(['^a+$', '^\\p{L}+$', '[\\w.-]+', '(a+)+$']),
      format: 'date-time',
    }),
    () => ({ type: ['string', 'null'], minLength: random.below(5), default: null }),
    () => ({ enum: ['a', 1, null, { $ref: '#/nowhere', $id: 5 }] }),
    () => ({ const: { $anchor: 'not an anchor' }, examples: [{ $id: 'x', type: 5 }] }),
    () => ({ type: 'array', items: inner(), minItems: 1, uniqueItems: true }),
    () => ({ anyOf: [inner(), inner(), true] }),
    () => ({ type: 'object', additionalProperties: random.pick<Json>([true, false, inner()]) }),
    () => ({ type: 'object', patternProperties: { '^x-': inner() }, propertyNames: { maxLength: 9 } }),
    () => ({
      type: 'object',
      properties: propertyMap(random, inner),
      dependencies: { q: ['name'], ü: inner() },
    }),
    () => Object.fromEntries(['if', 'then', 'else', 'not'].map((keyword) => [keyword, inner()])),
    () => (references.length > 0 ? { $ref: random.pick(references) } : {}),
    () => ({ type: 'number', minimum: random.pick<Json>(numbers), multipleOf: 0.01, unknownKeyword: [null] }),
    () => ({}),
  ])();
}

/** Of first-level properties only objects are shown as they are. */
function propertyMap(random: Random, make: () => Json): JsonObject {
  const map: JsonObject = Object.create(null);
  for (const key of keys) if (random.chance(0.2)) map[key] = make();
  return map;
}

function toolSchema(random: Random): JsonObject {
  const references = ['#'];
  const definitions: JsonObject = Object.create(null);
  const holder = random.pick(['$defs', 'definitions']);
  for (const name of ['A', 'B', 'C D', 'e/f']) {
    if (!random.chance(0.4)) continue;
    references.push(`#/${holder}/${encodeURIComponent(name.replace('/', '~1'))}`);
    definitions[name] = { type: 'object', properties: { next: schema(random, 1, references) } };
  }
  if (random.chance(0.2)) {
    definitions.anchored = { $anchor: 'here', type: 'string' };
    references.push('#here');
  }
  return {
    type: 'object',
    ...optionally(random, {
      $schema: () =>
        random.pick([
          'https://json-schema.org/draft/2020-12/schema',
          'http://json-schema.org/draft-07/schema#',
        ]),
      properties: () => propertyMap(random, () => schema(random, 0, references)),
      required: () => list(random, 3, () => random.pick(keys)),
      additionalProperties: () => random.pick([true, false]),
      description: () => text(random),
    }),
    [holder]: definitions,
  };
}

const icon = (random: Random): Json => ({
  src: random.pick(['https://example.com/icon.png', 'data:image/png;base64,AAAA']),
  ...optionally(random, {
    mimeType: () => 'image/png',
    sizes: () => ['48x48', 'any'],
    theme: () => random.pick(['light', 'dark']),
    own: () => null,
  }),
});

const common = (random: Random): JsonObject =>
  optionally(random, {
    title: () => text(random),
    description: () => text(random),
    icons: () => list(random, 2, () => icon(random)),
    _meta: () => ({ 'example.com/own': null, list: [new Raw('1.0')] }),
    ownMember: () => random.pick<Json>([null, [], { type: 5 }, new Raw('12345678901234567890')]),
    inputSchemas: () => null,
  });

const annotations = (random: Random): JsonObject =>
  optionally(random, {
    audience: () => list(random, 2, () => random.pick(['user', 'assistant'])),
    priority: () => random.pick<Json>([0, 1, 0.5, new Raw('0.10')]),
    lastModified: () => random.pick(['2025-01-12T15:00:58Z', '2024-02-29T00:00:00.123+02:00']),
    own: () => null,
  });

const ofResource = (random: Random): JsonObject =>
  optionally(random, { mimeType: () => 'text/plain', annotations: () => annotations(random) });

const uris = [
  'file:///a b/',
  'note://x/',
  'urn:x:',
  'https://example.com/ü/',
  'data:text/plain,',
  'c+d.e-f:/',
];

const lawful: Readonly<Record<GeneratedKind, (random: Random, index: number) => JsonObject>> = {
  tools: (random, index) => ({
    name: `tool_${index}`,
    ...common(random),
    inputSchema: toolSchema(random),
    ...optionally(random, {
      outputSchema: () => toolSchema(random),
      annotations: () =>
        optionally(random, {
          title: () => text(random),
          readOnlyHint: () => true,
          destructiveHint: () => false,
          idempotentHint: () => true,
          openWorldHint: () => false,
          own: () => null,
        }),
      execution: () => optionally(random, { taskSupport: () => random.pick(['forbidden', 'optional']) }),
    }),
  }),
  prompts: (random, index) => ({
    name: `prompt_${index}`,
    ...common(random),
    ...optionally(random, {
      arguments: () =>
        list(random, 3, () => ({
          name: text(random),
          ...optionally(random, {
            title: () => 't',
            description: () => text(random),
            required: () => random.chance(0.5),
          }),
        })),
    }),
  }),
  resources: (random, index) => ({
    uri: random.pick(uris) + index,
    name: text(random),
    ...common(random),
    ...ofResource(random),
    ...optionally(random, { size: () => random.pick<Json>([0, 12, new Raw('9007199254740993')]) }),
  }),
  templates: (random, index) => ({
    uriTemplate: `note://${index}/{+path}{?q}`,
    name: text(random),
    ...common(random),
    ...ofResource(random),
  }),
};

/** What may stand where it must not. */
const wrong: readonly Json[] = [
  null,
  true,
  false,
  0,
  1.5,
  -1,
  '',
  'text',
  [],
  [null],
  [1, 'a', {}],
  {},
  { type: 'string' },
  { $ref: '#/nowhere' },
  { $ref: '#' },
  new Raw('1e999'),
  new Raw('9'.repeat(4_400)),
  new Raw('"\\ud800"'),
  new Raw('"\\udc00x\\ud83d"'),
  '(unclosed',
  '2025-01-12',
  { src: 5 },
  { name: null },
  { nullable: true },
  { id: 'x' },
  { $id: 'constructor' },
  { $async: true },
  { type: 'Object' },
  { enum: [] },
  { pattern: '(?P<a>b)' },
  { $anchor: 'a b' },
  { required: true },
  { items: [null] },
  { exclusiveMinimum: true, minimum: 0 },
  { anyOf: {} },
  { properties: [] },
  { $ref: 'https://example.com/schema.json' },
];

const knownMembers: Readonly<Record<GeneratedKind, readonly string[]>> = {
  tools: [
    'inputSchema',
    'outputSchema',
    'annotations',
    'execution',
    'title',
    'description',
    'icons',
    '_meta',
  ],
  prompts: ['arguments', 'title', 'description', 'icons', '_meta'],
  resources: ['name', 'size', 'mimeType', 'annotations', 'title', 'description', 'icons', '_meta'],
  templates: ['name', 'mimeType', 'annotations', 'title', 'description', 'icons', '_meta'],
};

/** One to three faults, somewhere. The members that things are asked for by stay: without them nothing is listed. */
function spoiledText(kind: GeneratedKind, value: JsonObject, random: Random): string {
  for (let left = 1 + random.below(3); left > 0; left--) {
    if (random.chance(0.4)) value[random.pick(knownMembers[kind])] = copyOf(random.pick(wrong));
    else if (random.chance(0.2)) delete value[random.pick(knownMembers[kind])];
    else spoil(value, random, 0);
  }
  if (kind === 'resources' && random.chance(0.1)) value.uri = `no uri ${random.below(1e9)}`;
  return toText(value, random);
}

function spoil(value: JsonObject | Json[], random: Random, level: number): void {
  const places = Object.keys(value).filter(
    (key) => level > 0 || !['name', 'uri', 'uriTemplate'].includes(key),
  );
  if (places.length === 0) return;
  const key = random.pick(places);
  const holder = value as JsonObject;
  const inner = holder[key];
  if (typeof inner === 'object' && inner !== null && !(inner instanceof Raw) && random.chance(0.8)) {
    spoil(inner, random, level + 1);
  } else if (random.chance(0.2) && !Array.isArray(value)) delete holder[key];
  else holder[key] = copyOf(random.pick(wrong));
}

function copyOf(value: Json): Json {
  if (typeof value !== 'object' || value === null || value instanceof Raw) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copyOf(one)]));
}

/** With spaces here and there, doubled members and escapes that nobody needs. */
function toText(value: Json, random: Random): string {
  const space = () => (random.chance(0.05) ? random.pick([' ', '\t', ' \r\n ']) : '');
  if (value instanceof Raw) return value.text;
  if (typeof value === 'string') return stringText(value, random);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    return `[${space()}${value.map((one) => `${toText(one, random)}${space()}`).join(`,${space()}`)}]`;
  }
  const members = Object.entries(value).map(
    ([key, one]) => `${stringText(key, random)}${space()}:${space()}${toText(one, random)}${space()}`,
  );
  if (members.length > 0 && random.chance(0.02)) members.unshift(members[0] as string);
  return `{${space()}${members.join(`,${space()}`)}}`;
}

function stringText(value: string, random: Random): string {
  const plain = JSON.stringify(value);
  if (!/^"[a-z]/.test(plain) || !random.chance(0.05)) return plain;
  return `"\\u00${plain.charCodeAt(1).toString(16)}${plain.slice(2)}`;
}
