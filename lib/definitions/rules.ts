import { isObject } from '../json/parse-json.ts';
import { editElements, editMembers } from './raw-edits.ts';

/**
 * What a value has to be, and how a faulty one is repaired. Parsed values are judged, which costs little; only the text of
 * faulty ones is edited.
 */
export interface Rule {
  accepts(value: unknown): boolean;
  /** For a value that is not accepted; continues "its <path> …", such as `is null`. */
  why(value: unknown): string;
  /** For a value that is not accepted: the repaired text; undefined when it cannot be repaired. */
  mend?(text: string, path: string, faults: Faults): string | undefined;
}

/** Sentences that continue "its …". */
export type Faults = string[];

/** The kind of a value, in words that follow "is". */
export function kindOf(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'number' ? 'a number' : 'a string';
}

/** @param wanted In words that follow "not", such as `a string`. */
export function only(wanted: string, accepts: (value: unknown) => boolean): Rule {
  return {
    accepts,
    why: (value) => (value === null ? 'is null' : `is ${kindOf(value)}, not ${wanted}`),
  };
}

export const string = only('a string', (value) => typeof value === 'string');
export const boolean = only('true or false', (value) => typeof value === 'boolean');
export const anyObject = only('an object', isObject);

export function oneOf(...values: readonly string[]): Rule {
  const names = values.map((value) => `"${value}"`).join(', ');
  return {
    accepts: (value) => typeof value === 'string' && values.includes(value),
    why: (value) => (value === null ? 'is null' : `is none of ${names}`),
  };
}

/** Elements that cannot be repaired are left out one by one. */
export function listOf(element: Rule): Rule {
  const list = only('a list', Array.isArray);
  return {
    accepts: (value) => Array.isArray(value) && value.every(element.accepts),
    why: list.why,
    mend: (text, path, faults) =>
      text.startsWith('[')
        ? editElements(text, (value, at) => mended(element, value, `${path}[${at}]`, faults))
        : undefined,
  };
}

export interface Shape {
  readonly required?: Readonly<Record<string, Rule>>;
  readonly optional: Readonly<Record<string, Rule>>;
}

/** Only the named members are judged. Optional ones that cannot be repaired are left out. */
export function objectOf({ required = {}, optional }: Shape): Rule {
  const needed = Object.entries(required);
  const allowed = Object.entries(optional);
  const rules = new Map(allowed);
  const lacks = (value: Record<string, unknown>) =>
    needed.find(([key, rule]) => !rule.accepts(value[key]))?.[0];
  return {
    accepts: (value) =>
      isObject(value) &&
      lacks(value) === undefined &&
      allowed.every(([key, rule]) => !Object.hasOwn(value, key) || rule.accepts(value[key])),
    why: (value) => (isObject(value) ? `has no ${lacks(value)}` : anyObject.why(value)),
    mend(text, path, faults) {
      const value: unknown = JSON.parse(text);
      if (!isObject(value) || lacks(value) !== undefined) return undefined;
      return editMembers(text, (member, key) => {
        const rule = rules.get(key);
        return rule ? mended(rule, member, path === '' ? key : `${path}.${key}`, faults) : member;
      });
    },
  };
}

/** The text of a value, repaired if needed; undefined: the value is left out, which is added to the faults. */
export function mended(rule: Rule, text: string, path: string, faults: Faults): string | undefined {
  const value: unknown = JSON.parse(text);
  if (rule.accepts(value)) return text;
  const better = rule.mend?.(text, path, faults);
  if (better === undefined) faults.push(`${path} ${rule.why(value)} and was left out`);
  return better;
}

/** Icons of tools and features. Revision 2025-11-25, schema.ts: Icon. */
export const icons = listOf(
  objectOf({
    required: { src: string },
    optional: { mimeType: string, sizes: listOf(string), theme: oneOf('light', 'dark') },
  }),
);
