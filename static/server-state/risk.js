// @ts-check
// The data that would be lost, read from the service's refusal.

/** @typedef {import('../../lib/containers/store/data-at-risk.ts').DataAtRisk} Details */
/** @typedef {Pick<Details, 'paths' | 'count'>} Risk */

/**
 * Undefined for other failures, and where losing it is not to be had by asking.
 * @param {import('./caught.js').Caught} failure
 * @returns {Risk | undefined}
 */
export function riskIn({ code, details }) {
  const { paths = [], count = 0, needs_admin } = /** @type {Partial<Details>} */ (details);
  if (code !== 'data_at_risk' || needs_admin) return undefined;
  return { paths, count: Math.max(count, paths.length) };
}
