// @ts-check
// The server that already has a name, read from the service's refusal.

/** @typedef {import('../../lib/registry/registration/name-taken.ts').ReplaceableServer} Details */

/**
 * @typedef {object} Replacement The server that has the name now, as the service describes it.
 * @property {Details['server']} server
 * @property {Details['affected_groups']} groups
 * @property {boolean} isElsewhere Whether the new config is another program, image or address.
 * @property {boolean} needsAdmin
 * @property {string} [otherName] A free name.
 */

/**
 * Undefined for other failures.
 * @param {import('../server-state/caught.js').Caught} failure
 * @returns {Replacement | undefined}
 */
export function replacementIn({ code, details }) {
  const taken = /** @type {Partial<Details>} */ (details);
  if (code !== 'conflict' || taken.server === undefined) return undefined;
  return {
    server: taken.server,
    groups: taken.affected_groups ?? {},
    isElsewhere: taken.origin_changes === true,
    needsAdmin: taken.needs_admin === true,
    ...(taken.suggested_name && { otherName: taken.suggested_name }),
  };
}

/** @param {Replacement | undefined} replacement @param {boolean} isAllowed Whether this page has administration rights. */
export const mayReplace = (replacement, isAllowed) =>
  replacement !== undefined && (isAllowed || !replacement.needsAdmin);
