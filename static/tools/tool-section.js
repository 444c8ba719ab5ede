// @ts-check
// One server's tools, with a checkbox for all of them.
import { html, memo, useId, useState } from '../lib/html.js';
import { Badge } from '../lib/ui.js';
import { troubleOf } from '../server-state/server-status.js';
import { sumOf, tokensText } from '../state/sections.js';
import { isSameRows, ToolRows } from './tool-rows.js';

/**
 * @typedef {object} SectionProps
 * @property {string} name
 * @property {readonly import('../state/sections.js').Tool[]} tools Those that are shown.
 * @property {readonly import('../state/sections.js').Tool[]} all
 * @property {import('../state/page-state.js').ServerRecord} [server] Its record; absent when it is not registered.
 * @property {import('../state/sections.js').Selection} selection
 * @property {import('./tool-row.js').ToolActions} actions
 */

/** @param {SectionProps} props */
function drawToolSection({ name, tools, all, server, selection, actions }) {
  const [id, [isOpen, setOpen]] = [useId(), useState(true)];
  const sum = sumOf(all, selection);
  return html`
    <section class="tool-section card" id=${`tools-of-${name}`} tabindex="-1" aria-labelledby=${id}>
      <header class="section-head">
        <${PickAll} name=${name} tools=${tools} sum=${sum} selection=${selection} actions=${actions} />
        <h3 id=${id} class="foreign" dir="auto">${name}</h3>
        <${Condition} server=${server} />
        ${
          all.length > 0 &&
          html`
            <small class="section-sum">${isPart(tools, sum) && `${tools.length} of ${sum.of} shown · `}${`${sum.on} of ${sum.of} in group · ${tokensText(sum.tokens)}`}</small>
            <button type="button" class="plain" aria-expanded=${isOpen} aria-label=${`${isOpen ? 'Hide' : 'Show'} tools of ${name}`}
              onClick=${() => setOpen(!isOpen)}>${isOpen ? 'Hide' : 'Show'}</button>`
        }
      </header>
      ${all.length === 0 && html`<p class="soft section-note">${emptyText(server)}</p>`}
      ${isOpen && all.length > 0 && html`<${ToolRows} tools=${tools} selection=${selection} actions=${actions} />`}
    </section>`;
}

/** A tick in another section does not draw this section again. */
export const ToolSection = memo(drawToolSection, (before, after) => {
  const isSame = before.server === after.server && before.all === after.all;
  return (
    isSame &&
    isSameRows(before, after) &&
    isSameRows({ ...before, tools: before.all }, { ...after, tools: after.all })
  );
});

/** Whether a filter hides some. @param {readonly unknown[]} tools @param {{ of: number }} sum */
const isPart = (tools, sum) => tools.length < sum.of;

/**
 * Ticked for all of the server, half ticked for some of them, whatever is shown; a click ticks all that are shown, or clears
 * them when they are ticked.
 * @param {Omit<SectionProps, 'all'> & { sum: ReturnType<typeof sumOf> }} props
 */
function PickAll({ name, tools, sum, selection, actions }) {
  const pick = () =>
    actions.onTick(
      tools.map(({ name }) => name),
      sumOf(tools, selection).on < tools.length,
    );
  // A click takes the half tick away, also where it is to stay.
  const mix = (/** @type {HTMLInputElement | null} */ box) => {
    if (box) box.indeterminate = sum.on > 0 && sum.on < sum.of;
  };
  return html`
    <label class="pick-all">
      <input type="checkbox" ref=${mix} checked=${sum.of > 0 && sum.on === sum.of} disabled=${sum.of === 0} onChange=${pick} />
      <span class="unseen">${isPart(tools, sum) ? `The ${tools.length} shown` : 'All'} tools of ${name}</span>
    </label>`;
}

/** @param {Pick<SectionProps, 'server'>} props */
function Condition({ server }) {
  if (server === undefined)
    return html`<${Badge} kind="bad" text="unknown server" title="No server of this name is registered" />`;
  if (server.status === 'failed')
    return html`<${Badge} kind="bad" text="failed" title=${troubleOf(server)} />`;
  return null;
}

/** @param {SectionProps['server']} server */
function emptyText(server) {
  if (server?.status === 'failed') return `It failed before it listed its tools. ${troubleOf(server)}`;
  return 'It has listed no tools yet.';
}
