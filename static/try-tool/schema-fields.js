// @ts-check
// Converts a tool's JSON schema to the fields of a form, and the typed text back to arguments. A property that the form
// cannot show faithfully is typed as JSON. The schema comes from a server, so every part of it is checked.

/** @typedef {Readonly<Record<string, unknown>>} JsonSchema By keyword whatever the server wrote there. */

/**
 * @typedef {'text' | 'number' | 'integer' | 'choice' | 'json'} FieldKind
 * @typedef {object} Field
 * @property {string} name
 * @property {FieldKind} kind
 * @property {boolean} isRequired
 * @property {string} title
 * @property {string} description
 * @property {string} initial What the field holds at first.
 * @property {string} hint What is expected, in words.
 * @property {{ label: string, json: string }[]} [choices]
 * @property {number} [minimum]
 * @property {number} [maximum]
 */

/**
 * @param {unknown} schema
 * @returns {Field[] | undefined} Undefined when the arguments as a whole must be typed as JSON.
 */
export function fieldsOf(schema) {
  if (!isObject(schema)) return [];
  if (schema.anyOf || schema.oneOf || schema.allOf || schema.$ref) return undefined;
  if (!isObject(schema.properties)) return schema.additionalProperties ? undefined : [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, property]) =>
    fieldOf(name, simplify(property, schema), required.includes(name)),
  );
}

/** @param {string} name @param {JsonSchema} property @param {boolean} isRequired @returns {Field} */
function fieldOf(name, property, isRequired) {
  const choices = choicesOf(property);
  const kind = choices ? 'choice' : kindOf(property);
  const isJson = kind === 'json' || kind === 'choice';
  return {
    name,
    kind,
    isRequired,
    choices,
    title: text(property.title),
    description: text(property.description),
    initial: initialOf(property.default, isJson, kind),
    hint: hintOf(kind, property),
    minimum: number(property.minimum),
    maximum: number(property.maximum),
  };
}

/** A reference into the same schema, and "or null", are seen through. @param {unknown} property @param {JsonSchema} root @returns {JsonSchema} */
function simplify(property, root) {
  if (!isObject(property)) return {};
  const [, kind, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(text(property.$ref)) ?? [];
  const definitions = kind && root[kind];
  const target = name && isObject(definitions) ? definitions[name] : undefined;
  const seen = isObject(target) ? { ...target, ...property } : property;
  const variants = seen.anyOf ?? seen.oneOf;
  if (!Array.isArray(variants)) return seen;
  const real = variants.filter((variant) => variant?.type !== 'null');
  const { anyOf, oneOf, ...rest } = seen;
  return real.length === 1 && isObject(real[0]) ? { ...real[0], ...rest } : seen;
}

/** @param {JsonSchema} property @returns {FieldKind} */
function kindOf({ type, anyOf, oneOf, allOf }) {
  if (anyOf || oneOf || allOf) return 'json';
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [type];
  if (types.length !== 1) return 'json';
  if (types[0] === 'string') return 'text';
  return types[0] === 'number' || types[0] === 'integer' ? types[0] : 'json';
}

/** @param {JsonSchema} property */
function choicesOf({ type, const: only, enum: values }) {
  const offered = type === 'boolean' ? [true, false] : only !== undefined ? [only] : values;
  if (!Array.isArray(offered)) return undefined;
  return offered.map((value) => ({
    json: JSON.stringify(value) ?? 'null',
    label: text(value) || JSON.stringify(value),
  }));
}

/** @param {unknown} value @param {boolean} isJson @param {FieldKind} kind */
function initialOf(value, isJson, kind) {
  if (value === undefined || value === null) return '';
  if (isJson) return kind === 'json' ? JSON.stringify(value, null, 2) : JSON.stringify(value);
  return typeof value === 'object' ? '' : String(value);
}

/** @param {FieldKind} kind @param {JsonSchema} property */
function hintOf(kind, { type, format, minimum, maximum }) {
  if (kind === 'json') return typeof type === 'string' ? `${type}, as JSON` : 'JSON';
  const range = [number(minimum)?.toString(), number(maximum)?.toString()];
  const bounds = range.some(Boolean) ? `, ${range[0] ?? '…'} to ${range[1] ?? '…'}` : '';
  if (kind === 'choice') return '';
  return `${kind === 'text' ? text(format) || 'text' : kind}${bounds}`;
}

/**
 * The arguments as JSON text: text, so that a large number arrives as it was typed.
 * An empty optional field is left out, and so is one with a problem. Maps, since a server may call a field `__proto__`.
 * @param {Field[]} fields
 * @param {ReadonlyMap<string, string>} values
 * @returns {{ json: string, problems: Map<string, string> }}
 */
export function argumentsOf(fields, values) {
  /** @type {Map<string, string>} */
  const problems = new Map();
  const members = fields.flatMap((field) => {
    const typed = values.get(field.name) ?? field.initial;
    if (typed === '' && !field.isRequired) return [];
    const problem = problemOf(field, typed);
    if (problem) {
      problems.set(field.name, problem);
      return [];
    }
    return [`${JSON.stringify(field.name)}:${field.kind === 'text' ? JSON.stringify(typed) : typed.trim()}`];
  });
  return { json: `{${members.join(',')}}`, problems };
}

/** @param {string} typed @returns {string} Empty when it is a JSON object. */
export function objectProblem(typed) {
  const value = parse(typed);
  if (value === undefined) return 'This is not JSON.';
  return isObject(value) ? '' : 'A JSON object is needed: { … }';
}

/** @param {Field} field @param {string} typed */
function problemOf({ kind, minimum, maximum }, typed) {
  if (typed === '') return 'A value is needed.';
  if (kind === 'text' || kind === 'choice') return '';
  const value = parse(typed);
  if (kind === 'json') return value === undefined ? 'This is not JSON.' : '';
  if (typeof value !== 'number') return 'A number is needed.';
  if (kind === 'integer' && !Number.isInteger(value)) return 'A whole number is needed.';
  if (minimum !== undefined && value < minimum) return `At least ${minimum}.`;
  return maximum !== undefined && value > maximum ? `At most ${maximum}.` : '';
}

/** @param {string} json @returns {unknown} Undefined when it is none. */
function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** @param {unknown} value */
const text = (value) => (typeof value === 'string' ? value : '');
/** @param {unknown} value */
const number = (value) => (typeof value === 'number' ? value : undefined);
/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
