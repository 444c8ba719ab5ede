// @ts-check
// The rules and defaults of request bodies, from the API's own description (`GET /api/openapi.json`), so that forms check and
// show what the manager checks and does.

/** @typedef {import('./api.js').Api} Api */
/** @typedef {import('./api.js').ManagerCall} ManagerCall */

/**
 * The keywords of JSON Schema (draft 2020-12) that bodies are described with.
 * @typedef {object} Rule
 * @property {string} [type]
 * @property {readonly unknown[]} [enum]
 * @property {unknown} [default]
 * @property {string} [pattern]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [minItems]
 * @property {number} [maxItems]
 * @property {boolean} [uniqueItems]
 * @property {number} [maxProperties]
 * @property {Readonly<Record<string, Rule>>} [properties]
 * @property {readonly string[]} [required]
 * @property {boolean | Rule} [additionalProperties]
 * @property {Rule} [propertyNames]
 * @property {Rule} [items]
 * @property {readonly Rule[]} [prefixItems]
 * @property {readonly Rule[]} [allOf]
 */

/** @typedef {ReturnType<typeof rulesOf>} Rules */

const longestWaitMs = 2_000;

/** @type {WeakMap<Api, Promise<Rules>>} */
const loaded = new WeakMap();

/** Fetched once; after a failure again with the next call. @param {Api} api */
export function loadRules(api) {
  const loading = loaded.get(api) ?? api.call('GET /api/openapi.json').then(rulesOf);
  loaded.set(api, loading);
  loading.catch(() => loaded.delete(api));
  return loading;
}

/**
 * The rules, or nothing where they do not come soon: then the service alone judges.
 * @param {Api} api @returns {Promise<Rules | undefined>}
 */
export function rulesSoon(api) {
  const late = new Promise((resolve) => setTimeout(resolve, longestWaitMs));
  return Promise.race([loadRules(api), late]).catch(() => undefined);
}

/** @param {object} document OpenAPI 3.1. */
export function rulesOf(document) {
  return {
    /** Undefined for a call without a body. @param {ManagerCall} name @returns {Rule | undefined} */
    bodyOf(name) {
      const [method = '', path = ''] = name.split(' ');
      const body = ['requestBody', 'content', 'application/json', 'schema'];
      const schema = valueAt(document, ['paths', path, method.toLowerCase(), ...body]);
      return /** @type {Rule | undefined} */ (resolved(document, schema, []));
    },
  };
}

/** The rule of a part of a body, such as `limits.cpus`. @param {Rule | undefined} rule @param {string} path */
export function ruleAt(rule, path) {
  return path.split('.').reduce((inner, name) => inner?.properties?.[name], rule);
}

/** @param {unknown} value @param {readonly string[]} keys @returns {unknown} */
function valueAt(value, keys) {
  return keys.reduce((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}

/**
 * With what is referred to in the places of the references; nothing in those of a circle.
 * @param {object} document @param {unknown} value @param {readonly string[]} around References that are being followed.
 * @returns {unknown}
 */
function resolved(document, value, around) {
  if (Array.isArray(value)) return value.map((item) => resolved(document, item, around));
  if (!isObject(value)) return value;
  const { $ref: reference, ...rest } = value;
  const own = Object.entries(rest).map(([key, item]) => [key, resolved(document, item, around)]);
  if (typeof reference !== 'string' || around.includes(reference)) return Object.fromEntries(own);
  const target = valueAt(document, reference.replace(/^#\//, '').split('/'));
  return {
    .../** @type {object} */ (resolved(document, target, [...around, reference])),
    ...Object.fromEntries(own),
  };
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null;
