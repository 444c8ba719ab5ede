// @ts-check
// A tool whose definition differs from the approved one: both definitions, and the approval of the new one.
import { codeOf, messageOf } from '../lib/api.js';
import { html, useAction, useEffect, useMemo, useState } from '../lib/html.js';
import { timeAgo } from '../lib/time-ago.js';
import { Dialog, Spinner } from '../lib/ui.js';
import { definitionLines, rawLines } from './definition-lines.js';
import { DiffView } from './diff-view.js';
import { diffLines } from './line-diff.js';

/** @typedef {import('../lib/api.js').AnswerOf<'GET /api/tools/{tool}/change'>} Change */

/**
 * @param {{ tool: import('../state/sections.js').ToolNow, group: string, page: import('../state/page.js').Page, onClose(): void }} props `tool` as it is
 *   listed now: another definition of it is fetched anew.
 */
export function ReviewChange({ tool, group, page, onClose }) {
  const { change, problem, accept, isBusy } = useChange({ tool, group, page, onClose });
  const title = html`Changed: <code class="foreign">${tool.name}</code>`;
  return html`
    <${Dialog} title=${title} wide onClose=${onClose}>
      ${problem && html`<p class="banner bad" role="alert">${problem}</p>`}
      ${change ? html`<${Comparison} change=${change} group=${group} />` : !problem && html`<p class="row soft"><${Spinner} label="Loading" /> Looking at both definitions</p>`}
      <div class="dialog-actions">
        <button type="button" onClick=${onClose}>Not now</button>
        ${isDifferent(change) && html`<button type="button" class="primary" aria-disabled=${isBusy} onClick=${accept}>Accept the change</button>`}
      </div>
    <//>`;
}

/** @param {Parameters<typeof ReviewChange>[0]} props */
function useChange({ tool, group, page, onClose }) {
  const [change, setChange] = useState(/** @type {Change | undefined} */ (undefined));
  const [[problem, isBusy], setState] = useState(/** @type {[string, boolean]} */ (['', false]));
  const path = { tool: tool.name };
  const load = useAction(async () => {
    try {
      setChange(await page.api.call('GET /api/tools/{tool}/change', { path, query: { group } }));
    } catch (error) {
      setState([messageOf(error), false]);
    }
  });
  useEffect(() => void load(), [tool.definition_hash, tool.approved_hash]);
  const accept = useAction(async () => {
    if (isBusy || change === undefined) return;
    setState(['', true]);
    try {
      // The approval is for the definition that this dialog shows, even if a newer one has arrived since.
      const body = { definition_hash: change.current.definition_hash, group };
      await page.api.call('POST /api/tools/{tool}/approve', { path, body });
      await page.refresh('group');
      page.notify('good', `The change of ${tool.name} is accepted.`);
      onClose();
    } catch (error) {
      setState([`Not accepted. ${messageOf(error)}`, false]);
      if (codeOf(error) === 'conflict') await load();
    }
  });
  return { change, problem, isBusy, accept };
}

/** @param {Change | undefined} change */
const isDifferent = (change) =>
  change !== undefined && change.approved?.definition_hash !== change.current.definition_hash;

/** @param {{ change: Change, group: string }} props */
function Comparison({ change, group }) {
  const { current, approved } = change;
  const lines = useMemo(() => linesOf(change), [change]);
  if (!isDifferent(change))
    return html`<p>What is approved for <strong>${group}</strong> is what its server says now.</p>`;
  const when = timeAgo(approved?.approved_at);
  return html`
    <p>
      Approved for <strong class="foreign">${group}</strong>${when && ` ${when}`}, and defined otherwise by its server since then.
      Agents get the new definition already.
    </p>
    ${
      approved?.definition === undefined
        ? html`
          <p class="banner warn">What it was before is not known: it was approved with an older version of this service, seen elsewhere, or too long to keep.</p>
          <pre class="foreign" tabindex="0" aria-label="Definition now">${definitionLines(current.definition).join('\n')}</pre>`
        : html`<${DiffView} lines=${lines} label="Definition before and now" />`
    }`;
}

/** @param {Change} change */
function linesOf({ current, approved }) {
  const before = approved?.definition ?? '';
  const lines = diffLines(definitionLines(before), definitionLines(current.definition));
  if (lines.some(({ kind }) => kind !== 'same')) return lines;
  return diffLines(rawLines(before), rawLines(current.definition));
}
