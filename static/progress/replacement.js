// @ts-check
// A name that is taken, out of the service's refusal.

/**
 * @typedef {object} Replacement What the service says of a server that is there already.
 * @property {string} server
 * @property {Record<string, string[]>} groups Group → tools that its agents have of it.
 * @property {boolean} isElsewhere The new one is another program, image or address.
 * @property {boolean} needsAdmin
 * @property {string} [otherName] That is free.
 */

/**
 * Undefined for any other failure.
 * @param {{ code?: string, details?: any }} failure
 * @returns {Replacement | undefined}
 */
export function replacementIn({ code, details }) {
  if (code !== 'conflict' || typeof details?.server !== 'string') return undefined;
  return {
    server: details.server,
    groups: details.affected_groups ?? {},
    isElsewhere: details.origin_changes === true,
    needsAdmin: details.needs_admin === true,
    ...(details.suggested_name && { otherName: details.suggested_name }),
  };
}

/** @param {Replacement | undefined} replacement @param {boolean} isAllowed Whether this page has administration rights. */
export const mayReplace = (replacement, isAllowed) =>
  replacement !== undefined && (isAllowed || !replacement.needsAdmin);
