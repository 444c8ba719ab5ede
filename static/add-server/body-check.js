// @ts-check
// Which parts of a body break their rules. Pure. The service checks everything again, and some of its rules are more than a
// schema can say.

/** @typedef {import('../lib/api-rules.js').Rule} Rule */
/** @typedef {{ path: readonly string[], keyword: keyof Rule, rule: Rule }} Breach `keyword`: the one that is broken. */

/**
 * @param {Rule} rule @param {unknown} value @param {readonly string[]} [path]
 * @returns {Breach[]} One of each part.
 */
export function breachesIn(rule, value, path = []) {
  const keyword = brokenKeyword(rule, value);
  if (keyword) return [{ path, keyword, rule }];
  const inAll = (rule.allOf ?? []).flatMap((one) => breachesIn(one, value, path));
  if (inAll.length > 0) return inAll;
  if (Array.isArray(value)) return breachesOfItems(rule, value, path);
  return isObject(value) ? breachesOfFields(rule, value, path) : [];
}

/** @param {Rule} rule @param {readonly unknown[]} values @param {readonly string[]} path */
function breachesOfItems({ items, prefixItems = [] }, values, path) {
  return values.flatMap((value, at) => {
    const rule = prefixItems[at] ?? items;
    return rule ? breachesIn(rule, value, [...path, String(at)]) : [];
  });
}

/** Fields that are undefined are not sent. @param {Rule} rule @param {Record<string, unknown>} value @param {readonly string[]} path */
function breachesOfFields(rule, value, path) {
  const { properties = {}, additionalProperties: others = true, propertyNames } = rule;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return names.flatMap((name) => {
    const at = [...path, name];
    if (propertyNames && breachesIn(propertyNames, name).length > 0)
      return [{ path: at, keyword: /** @type {const} */ ('propertyNames'), rule: propertyNames }];
    const own = Object.hasOwn(properties, name) ? properties[name] : others;
    if (own === false) return [{ path: at, keyword: /** @type {const} */ ('additionalProperties'), rule }];
    return typeof own === 'object' ? breachesIn(own, value[name], at) : [];
  });
}

/** Of the value itself, not of its parts. @param {Rule} rule @param {unknown} value @returns {keyof Rule | undefined} */
function brokenKeyword(rule, value) {
  if (rule.type !== undefined && !isOfType(rule.type, value)) return 'type';
  if (rule.enum && !rule.enum.includes(value)) return 'enum';
  if (typeof value === 'string') return brokenByText(rule, value);
  if (typeof value === 'number') return brokenByNumber(rule, value);
  if (Array.isArray(value)) {
    if (value.length < (rule.minItems ?? 0)) return 'minItems';
    if (value.length > (rule.maxItems ?? Infinity)) return 'maxItems';
    return rule.uniqueItems && hasTwins(value) ? 'uniqueItems' : undefined;
  }
  if (!isObject(value)) return undefined;
  if (Object.keys(value).length > (rule.maxProperties ?? Infinity)) return 'maxProperties';
  return rule.required?.every((name) => value[name] !== undefined) === false ? 'required' : undefined;
}

/** @param {readonly unknown[]} values */
const hasTwins = (values) => new Set(values.map((value) => JSON.stringify(value))).size < values.length;

/** Lengths are counted in characters. @param {Rule} rule @param {string} text @returns {keyof Rule | undefined} */
function brokenByText({ minLength = 0, maxLength = Infinity, pattern }, text) {
  const length = [...text].length;
  if (length < minLength) return 'minLength';
  if (length > maxLength) return 'maxLength';
  return pattern !== undefined && !new RegExp(pattern).test(text) ? 'pattern' : undefined;
}

/** @param {Rule} rule @param {number} value @returns {keyof Rule | undefined} */
function brokenByNumber({ minimum = -Infinity, maximum = Infinity }, value) {
  if (value < minimum) return 'minimum';
  return value > maximum ? 'maximum' : undefined;
}

/** @param {string} type @param {unknown} value */
function isOfType(type, value) {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The rule of a number that is typed in a larger unit, as a whole number of it.
 * @param {Rule | undefined} rule @param {number} unit How many of the rule's unit are one of the reader's.
 * @returns {Rule | undefined}
 */
export function inUnit(rule, unit) {
  if (rule === undefined || unit === 1) return rule;
  const { type, minimum = -Infinity, maximum = Infinity, default: usual } = rule;
  return {
    ...{ type, minimum: Math.ceil(minimum / unit), maximum: Math.floor(maximum / unit) },
    default: typeof usual === 'number' ? usual / unit : usual,
  };
}

/** "A whole number from 1 to 600." @param {Rule | undefined} rule */
export function numberSentence({ type, minimum, maximum } = {}) {
  const what = type === 'integer' ? 'A whole number' : 'A number';
  if (minimum === undefined || maximum === undefined) return `${what} is needed.`;
  return `${what} from ${numberText(minimum)} to ${numberText(maximum)}.`;
}

/** Ports are not grouped, for one. @param {number} value */
const numberText = (value) => (value < 100_000 ? String(value) : value.toLocaleString('en'));

/**
 * A number from a field; undefined where none was typed, or a wrong one.
 * @param {string} typed @param {Rule | undefined} rule In the unit of the field.
 * @returns {{ value?: number, problem?: string }}
 */
export function readNumber(typed, rule) {
  if (typed.trim() === '') return {};
  const value = Number(typed);
  const isFine = Number.isFinite(value) && (rule === undefined || breachesIn(rule, value).length === 0);
  return isFine ? { value } : { problem: numberSentence(rule) };
}
