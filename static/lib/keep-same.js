// @ts-check

/**
 * `after`, with every part that equals the same part of `before` replaced by it, so that "is another object" means
 * "has changed" and only what changed is drawn again.
 * @template Value
 * @param {any} before @param {Value} after
 * @returns {Value}
 */
export function keepSame(before, after) {
  if (before === after || !isObject(before) || !isObject(after)) return after;
  if (Array.isArray(before) !== Array.isArray(after)) return after;
  const [was, is] = [/** @type {any} */ (before), /** @type {any} */ (after)];
  const keys = Object.keys(is);
  let isSame = keys.length === Object.keys(was).length;
  for (const key of keys) {
    is[key] = keepSame(Object.hasOwn(was, key) ? was[key] : undefined, is[key]);
    isSame = isSame && Object.hasOwn(was, key) && is[key] === was[key];
  }
  return isSame ? before : after;
}

/** @param {any} value @returns {boolean} */
function isObject(value) {
  return typeof value === 'object' && value !== null;
}
