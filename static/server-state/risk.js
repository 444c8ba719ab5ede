// @ts-check
// The data that would be lost, read from the service's refusal.

/** @typedef {{ paths: string[], count: number }} Risk */

/**
 * Undefined for any other failure, and where losing it is not to be had by asking.
 * @param {{ code?: string, details?: any }} failure
 * @returns {Risk | undefined}
 */
export function riskIn({ code, details }) {
  if (code !== 'data_at_risk' || details?.needs_admin) return undefined;
  const paths = Array.isArray(details?.paths) ? details.paths.map(String) : [];
  return { paths, count: Math.max(details?.count ?? 0, paths.length) };
}
