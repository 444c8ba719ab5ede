// @ts-check

/**
 * The members of a JSON object that a server wrote; none of what is no object.
 * @param {unknown} value
 * @returns {Readonly<Record<string, unknown>>}
 */
export function membersOf(value) {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
