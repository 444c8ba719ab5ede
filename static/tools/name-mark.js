// @ts-check
// Marks a tool whose name some model provider or client refuses, or that agents see under another name, and gives the
// reason among its details. One press gives the tool another name, or takes that away.
import { html, useAction, useKeptFocus, useRef, useState } from '../lib/html.js';
import { Badge } from '../lib/ui.js';

/** @typedef {import('../state/sections.js').Tool} Tool */
/** @typedef {{ tool: Tool, isBusy: boolean, expose(name: string | null | undefined): void }} Parts */

/** @param {{ tool: Tool, actions: { page(): import('../state/page.js').Page }, whole?: boolean }} props */
export function NameMark({ tool, actions, whole }) {
  const mark = useRef(/** @type {HTMLElement | null} */ (null));
  const [isBusy, setBusy] = useState(false);
  useKeptFocus({
    get current() {
      return mark.current?.closest('li') ?? null;
    },
  });
  const expose = useAction(async (/** @type {string | null | undefined} */ name) => {
    if (isBusy) return;
    setBusy(true);
    await exposeTool(actions.page(), tool.name, name);
    setBusy(false);
  });
  const parts = { tool, isBusy, expose };
  return whole
    ? html`<div class="row" ref=${mark}><${Reason} ...${parts} /></div>`
    : html`<span class="row" ref=${mark}><${Mark} ...${parts} /></span>`;
}

/** @param {import('../state/page.js').Page} page @param {string} tool @param {string | null | undefined} name */
async function exposeTool(page, tool, name) {
  const { group } = page.store.get();
  try {
    await page.api.call('POST /api/tools/{tool}/expose', { path: { tool }, body: { group, name } });
    await page.refresh('group');
    page.notify(
      'good',
      `Agents of ${group} see ${tool} ${name === null ? 'by its full name' : `as ${name}`}.`,
    );
  } catch (error) {
    page.refused('Not renamed.', error);
  }
}

/** @param {Parts} props */
function Mark({ tool, isBusy, expose }) {
  const { name, exposed_name: exposed, name_problem: problem, suggested_name: suggested } = tool;
  if (!problem) return html`<${Badge} text="renamed" title=${`Agents see it as ${exposed}`} />`;
  const text = tool.name_too_long ? 'long name' : 'name refused';
  return html`
    <${Badge} kind="warn" text=${text} title=${problem} />
    <button type="button" class="small" title=${`Agents then see it as ${suggested}`} aria-disabled=${isBusy}
      onClick=${() => expose(suggested)}>Rename<span class="unseen"> for agents: ${name}</span></button>`;
}

/** @param {Parts} props */
function Reason({ tool, isBusy, expose }) {
  const { name, exposed_name: exposed, name_problem: problem, suggested_name: suggested } = tool;
  return html`
    ${exposed && html`<p class="soft">Agents of the group see it as <code class="foreign">${exposed}</code>.</p>`}
    ${problem && html`<p class="soft foreign">${problem} <q>Rename</q> shows it to agents as <code>${suggested}</code>.</p>`}
    ${exposed && html`<button type="button" class="small" aria-disabled=${isBusy} onClick=${() => expose(null)}>Show the full name<span class="unseen">: ${name}</span></button>`}`;
}
