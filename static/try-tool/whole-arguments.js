// @ts-check
// Converts the arguments between the fields of a form and one JSON object.
import { argumentsOf, objectProblem } from './schema-fields.js';

/** @typedef {import('./schema-fields.js').Field} Field */
/** @typedef {ReadonlyMap<string, string>} Texts By field. */

/**
 * Fields with a problem are left out. Values stand there as they were typed: parsed and written again, a large number
 * would be another one.
 * @param {Field[]} fields @param {Texts} values
 */
export function wholeOf(fields, values) {
  const lines = fields.flatMap((field) => {
    const { json } = argumentsOf([field], values);
    const name = JSON.stringify(field.name);
    return json === '{}' ? [] : [`  ${name}: ${json.slice(name.length + 2, -1)}`];
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n}`;
}

/**
 * A value that was left out of the object is still in its field; one that was removed from the object is not.
 * @param {Field[]} fields @param {Texts} before What the fields held when the object was made of them.
 * @param {string} json
 * @returns {{ values: Texts, problem: string }} The problem: why the fields cannot hold it.
 */
export function valuesOf(fields, before, json) {
  const values = new Map(
    fields.map((field) => {
      const wasLeftOut = argumentsOf([field], before).problems.size > 0;
      return [field.name, (wasLeftOut && before.get(field.name)) || ''];
    }),
  );
  const problem = objectProblem(json) || problemOf(fields, json, values);
  return { values, problem };
}

/** @param {Field[]} fields @param {string} json @param {Map<string, string>} values Filled in. */
function problemOf(fields, json, values) {
  let isExact = true;
  /** @type {Record<string, unknown>} */
  const whole = JSON.parse(json, (_, value) => {
    isExact &&= typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    return value;
  });
  if (!isExact) return 'The form cannot hold a number as large as one of these.';
  for (const [name, value] of Object.entries(whole)) {
    const field = fields.find((one) => one.name === name);
    if (field === undefined) return `The form has no field “${name}”.`;
    const text = textOf(field, value);
    if (text === undefined) return `The form cannot hold this value of “${name}”.`;
    values.set(name, text);
  }
  return '';
}

/** An empty text would be left out. @param {Field} field @param {unknown} value */
function textOf({ kind, choices }, value) {
  const json = JSON.stringify(value);
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (kind === 'choice') return choices?.some((choice) => choice.json === json) ? json : undefined;
  if (kind === 'text') return typeof value === 'string' && value !== '' ? value : undefined;
  return typeof value === 'number' ? json : undefined;
}
