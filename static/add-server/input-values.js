// @ts-check
// The inputs that a pasted file asks for (`${input:id}` of VS Code), and their values in its configs. Pure.

/**
 * @typedef {object} Input
 * @property {string} id
 * @property {string} description
 * @property {boolean} password
 * @property {string} [default]
 * @property {string[]} [options]
 * @property {string[]} servers Those that ask for it.
 * @typedef {Record<string, string>} Values By id.
 */

/** @param {Input[]} inputs @returns {Values} */
export const firstValues = (inputs) =>
  Object.fromEntries(inputs.map(({ id, default: preset = '' }) => [id, preset]));

/** Those that servers of these names ask for. @param {Input[]} inputs @param {string[]} names */
export const inputsOf = (inputs, names) =>
  inputs.filter(({ servers }) => servers.some((name) => names.includes(name)));

/** With their values in their places; what has none stays. @param {any} value @param {Values} values @returns {any} */
export function withValues(value, values) {
  if (typeof value === 'string')
    return value.replace(
      /\$\{input:([^{}$]{1,200})\}/g,
      (whole, id) => (Object.hasOwn(values, id) && values[id]) || whole,
    );
  if (Array.isArray(value)) return value.map((item) => withValues(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withValues(item, values)]));
}
