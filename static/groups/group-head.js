// @ts-check
// The head of the shown group: its description, its file, its cost for an agent, and the actions on it.
import { html } from '../lib/html.js';
import { Badge } from '../lib/ui.js';
import { sumOf, tokensText } from '../state/sections.js';

/**
 * @param {{ state: import('../state/page-state.js').State, selection: import('../state/sections.js').Selection,
 *   onOpen(kind: 'describe' | 'rename' | 'delete'): void }} props
 */
export function GroupHead({ state, selection, onOpen }) {
  const { group, groups, saved, tools, status } = state;
  const sum = sumOf(Object.values(tools).flat(), selection);
  const file = `${status?.groups_dir?.replace(/\/$/, '') ?? 'groups'}/${group}.json`;
  return html`
    <header class="group-head">
      <div class="row">
        <h2 class="foreign" dir="auto">Tools of ${group}</h2>
        ${saved?.read_only && html`<${Badge} kind="info" text="managed elsewhere" title="Its file is a link" />`}
        <span class="push row">
          <button type="button" class="small" onClick=${() => onOpen('describe')}>Describe</button>
          ${
            group !== groups?.default &&
            html`
              <button type="button" class="small" onClick=${() => onOpen('rename')}>Rename</button>
              <button type="button" class="small danger" onClick=${() => onOpen('delete')}>Delete</button>`
          }
        </span>
      </div>
      ${saved?.description && html`<p class="foreign clamp" dir="auto">${saved.description}</p>`}
      <p class="soft group-facts">
        <span>${`${sum.on} of ${sum.of} tools`}</span>
        <span title="What the definitions cost an agent, roughly">${tokensText(sum.tokens)}</span>
        <code class="foreign" title="The file is the truth: edit it by hand, too">${file}</code>
      </p>
    </header>`;
}
