// @ts-check
// The inputs that a pasted file asks for (`${input:id}` of VS Code), and their values in its configs. Pure.

/** @typedef {import('../lib/api.js').AnswerOf<'POST /api/servers/convert'>['inputs'][number]} Input */
/** By id. @typedef {Record<string, string>} Values */

/** @param {readonly Input[]} inputs @returns {Values} */
export const firstValues = (inputs) =>
  Object.fromEntries(inputs.map(({ id, default: preset = '' }) => [id, preset]));

/** Those that servers of these names ask for. @param {readonly Input[]} inputs @param {string[]} names */
export const inputsOf = (inputs, names) =>
  inputs.filter(({ servers }) => servers.some((name) => names.includes(name)));

/** With their values in their places; what has none stays. @template Value @param {Value} value @param {Values} values @returns {Value} */
export function withValues(value, values) {
  return /** @type {Value} */ (filled(value, values));
}

/** @param {unknown} value @param {Values} values @returns {unknown} */
function filled(value, values) {
  if (typeof value === 'string')
    return value.replace(
      /\$\{input:([^{}$]+)\}/g,
      (whole, id) => (Object.hasOwn(values, id) && values[id]) || whole,
    );
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, values)]));
}
