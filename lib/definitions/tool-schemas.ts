import { isObject } from '../json/parse-json.ts';
import { memberText } from '../json/raw-json.ts';
import { quotedName } from '../names/shown-names.ts';
import { editMembers, withMember } from './raw-edits.ts';
import { anyObject, type Faults, kindOf, listOf, mended, only, type Rule, string } from './rules.ts';
import { whyNotCompiled } from './why-not-compiled.ts';

/**
 * The two schemas of a tool. The revision requires type object, `properties` an object of objects, `required` a
 * list of strings, `$schema` a string (2025-11-25, schema.ts, Tool); anything else may stand in them. Schemas that are
 * `true` or `false` are lawful JSON Schema, but the official TypeScript client of version 1 drops the whole list over one
 * in `properties`: they become `{}` and `{"not":{}}`, which mean the same, and that does not count as a fault.
 */
const property: Rule = {
  accepts: isObject,
  why: (value) => `is ${kindOf(value)}, not a schema`,
  mend(text, path, faults) {
    if (text === 'true') return '{}';
    if (text === 'false') return '{"not":{}}';
    faults.push(`${path} ${property.why(JSON.parse(text))} and is shown as {}`);
    return '{}';
  },
};

const properties: Rule = {
  accepts: (value) => isObject(value) && Object.values(value).every(isObject),
  why: anyObject.why,
  mend(text, path, faults) {
    const value: unknown = JSON.parse(text);
    // PHP writes an empty map like this.
    if (Array.isArray(value) && value.length === 0) {
      faults.push(`${path} is a list and is shown as {}`);
      return '{}';
    }
    return isObject(value)
      ? editMembers(text, (one, key) => mended(property, one, `${path}.${shortened(key)}`, faults))
      : undefined;
  },
};

const members: Readonly<Record<string, Rule>> = {
  $schema: string,
  type: only('"object"', (value) => value === 'object'),
  properties,
  required: listOf(string),
};

const isLawful = (value: unknown) =>
  isObject(value) &&
  value.type === 'object' &&
  Object.entries(members).every(([key, rule]) => !Object.hasOwn(value, key) || rule.accepts(value[key]));

const empty = '{"type":"object"}';

/** Required; a schema of another type than object cannot be repaired. */
export const inputSchema: Rule = {
  accepts: isLawful,
  why(value) {
    if (!isObject(value)) return `is ${kindOf(value)}, not a schema`;
    return `is of type ${JSON.stringify(value.type)?.slice(0, 60)}, not "object"`;
  },
  mend(text, path, faults) {
    const value: unknown = JSON.parse(text);
    if (meansNothing(value)) {
      faults.push(`${path} is ${kindOf(value)} and is shown as ${empty}`);
      return empty;
    }
    if (!isOfTypeObject(value)) return undefined;
    if (value.type !== 'object') {
      const what = value.type == null ? 'has no type' : 'has more than one type';
      faults.push(`${path} ${what} and is shown with the type "object"`);
    }
    return mendMembers(withType(text, value), path, faults);
  },
};

/** Whether a value can be repaired to an `inputSchema`. */
export function mayBeInputSchema(value: unknown): boolean {
  return meansNothing(value) || isOfTypeObject(value);
}

function meansNothing(value: unknown): boolean {
  return value === null || value === true || (Array.isArray(value) && value.length === 0);
}

function isOfTypeObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const type = value.type ?? 'object';
  return type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** Optional, and useless when it is not valid, so few repairs are tried. */
export const outputSchema: Rule = {
  accepts: (value) => isObject(value) && isLawful(value) && whyNotCompiled(value) === undefined,
  why(value) {
    if (value === null) return 'is null';
    if (!isObject(value) || value.type !== 'object') return 'is not of type object';
    return whyNotCompiled(value) ?? 'is not as it should be';
  },
  mend(text, path, faults) {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || value.type !== 'object') return undefined;
    const found: Faults = [];
    const better = mendMembers(text, path, found);
    const repaired: unknown = JSON.parse(better);
    if (!isObject(repaired) || whyNotCompiled(repaired) !== undefined) return undefined;
    faults.push(...found);
    return better;
  },
};

/** For sentences: a key may have any length and hold any character. */
function shortened(key: string): string {
  return quotedName(key).slice(1, -1);
}

function withType(text: string, value: Record<string, unknown>): string {
  if (value.type === 'object') return text;
  if (memberText(text, 'type') === undefined) return withMember(text, 'type', '"object"');
  return editMembers(text, (member, key) => (key === 'type' ? '"object"' : member));
}

function mendMembers(text: string, path: string, faults: Faults): string {
  return editMembers(text, (member, key) => {
    const rule = Object.hasOwn(members, key) ? members[key] : undefined;
    return rule ? mended(rule, member, `${path}.${key}`, faults) : member;
  });
}
