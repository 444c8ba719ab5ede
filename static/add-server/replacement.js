// @ts-check
// A name that is taken: what would be replaced, and whose agents would notice.
import { html } from '../lib/html.js';

/**
 * @typedef {object} Replacement What the service says of a server that is there already.
 * @property {string} server
 * @property {Record<string, string[]>} groups Group → tools that its agents have of it.
 * @property {boolean} isElsewhere The new one is another program, image or address.
 * @property {boolean} needsAdmin
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
  };
}

/** @param {Replacement | undefined} replacement @param {boolean} isAllowed Whether this page has administration rights. */
export const mayReplace = (replacement, isAllowed) =>
  replacement !== undefined && (isAllowed || !replacement.needsAdmin);

/** @param {{ replacement: Replacement, isAllowed: boolean }} props */
export function WhatIsReplaced({ replacement, isAllowed }) {
  const { server, groups, isElsewhere, needsAdmin } = replacement;
  const users = Object.entries(groups);
  return html`
    <div class="banner replaced">
      <p><strong class="foreign" dir="auto">${server}</strong> is there already${isElsewhere ? ', and the new one is another program, image or address' : ''}.</p>
      ${users.length === 0 ? html`<p>No group uses its tools.</p>` : html`<p>Agents of these groups would get the new one:</p>`}
      ${users.length > 0 && html`<ul>${users.map(UsingGroup)}</ul>`}
      ${needsAdmin && !isAllowed && html`<p>Replacing it needs the gateway command line or the admin token. Another name needs neither.</p>`}
    </div>`;
}

/** @param {[string, string[]]} entry */
function UsingGroup([group, tools]) {
  const names = tools.length === 0 ? 'all its tools' : tools.join(', ');
  return html`<li key=${group} class="foreign" dir="auto"><strong>${group}</strong>: ${names}</li>`;
}
