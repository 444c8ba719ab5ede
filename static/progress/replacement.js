// @ts-check
// The server that already has a name, read from the service's refusal.

/**
 * @typedef {object} Replacement The server that has the name now, as the service describes it.
 * @property {string} server
 * @property {Record<string, string[]>} groups Group → tools of the server that the group's agents have.
 * @property {boolean} isElsewhere Whether the new config is another program, image or address.
 * @property {boolean} needsAdmin
 * @property {string} [otherName] A free name.
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
