// @ts-check

/**
 * `after`, with every part that equals the same part of `before` replaced by it, so that "is another object" means
 * "has changed" and only what changed is drawn again.
 * @template Value
 * @param {unknown} before @param {Value} after
 * @returns {Value}
 */
export function keepSame(before, after) {
  if (before === after || !isObject(before) || !isObject(after)) return after;
  if (Array.isArray(before) !== Array.isArray(after)) return after;
  /** @type {Record<string, unknown>} */
  const is = after;
  const keys = Object.keys(is);
  let isSame = keys.length === Object.keys(before).length;
  for (const key of keys) {
    is[key] = keepSame(Object.hasOwn(before, key) ? before[key] : undefined, is[key]);
    isSame = isSame && Object.hasOwn(before, key) && is[key] === before[key];
  }
  return isSame ? /** @type {Value} */ (before) : after;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === 'object' && value !== null;
}
