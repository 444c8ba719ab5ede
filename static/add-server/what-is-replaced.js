// @ts-check
// For a name that is taken: the server that would be replaced, and the groups whose agents would notice.
import { html } from '../lib/html.js';

/** @param {{ replacement: import('../progress/replacement.js').Replacement, isAllowed: boolean }} props */
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

/** @param {[string, readonly string[]]} entry */
function UsingGroup([group, tools]) {
  const names = tools.length === 0 ? 'all its tools' : tools.join(', ');
  return html`<li key=${group} class="foreign" dir="auto"><strong>${group}</strong>: ${names}</li>`;
}
