// @ts-check
// All tools, by server, with a filter; "all shown" acts on what the filter lets through.
import { html, useAction, useEffect, useMemo, useRef, useState } from '../lib/html.js';
import { isFiltering, sectionsOf } from '../state/sections.js';
import { ToolSection } from './tool-section.js';

/** @typedef {import('../state/sections.js').Filter} Filter */

/** @type {Filter} */
const noFilter = { text: '', only: 'all' };

/** @typedef {import('../state/sections.js').Tools} Tools */
/** @typedef {import('../state/page-state.js').ServerRecord} ServerRecord */
/** @typedef {import('./tool-row.js').ToolActions} ToolActions */

/**
 * @param {{ tools: Tools, servers: readonly ServerRecord[],
 *   selection: import('../state/sections.js').Selection, actions: ToolActions,
 *   reveal?: { server: string } }} props
 */
export function ToolPanel({ tools, servers, selection, actions, reveal }) {
  const [filter, setFilter] = useState(noFilter);
  useReveal(reveal, () => setFilter(noFilter));
  const listed = useMemo(() => withEmptyServers(tools, servers), [tools, servers]);
  const sections = sectionsOf(listed, filter, selection);
  const names = sections.flatMap((section) => section.tools.map((tool) => tool.name));
  const records = useMemo(() => new Map(servers.map((server) => [server.name, server])), [servers]);
  const kept = useKept(actions);
  return html`
    <${Toolbar} filter=${filter} setFilter=${setFilter} names=${names} total=${countOf(listed)} onTick=${kept.onTick} />
    ${sections.map(
      ({ name, tools: shown }) => html`
        <${ToolSection} key=${name} name=${name} tools=${shown} all=${listed[name]} server=${records.get(name)}
          selection=${selection} actions=${kept} />`,
    )}
    ${sections.length === 0 && html`<p class="card empty soft">No tool matches the filter.</p>`}`;
}

/**
 * Clears the filter, scrolls to a server's tools and focuses their first checkbox.
 * @param {{ server: string } | undefined} reveal @param {() => void} onReveal
 */
function useReveal(reveal, onReveal) {
  useEffect(() => {
    if (reveal === undefined) return;
    onReveal();
    setTimeout(() => {
      const section = document.getElementById(`tools-of-${reveal.server}`);
      section?.scrollIntoView({ block: 'start' });
      section?.querySelector('input')?.focus({ preventScroll: true });
    });
  }, [reveal]);
}

/**
 * Returns the same object at each drawing, so that rows are not drawn again because of it.
 * @param {ToolActions} actions @returns {ToolActions}
 */
function useKept(actions) {
  const kept = {
    onTick: useAction(actions.onTick),
    onTry: useAction(actions.onTry),
    onReview: useAction(actions.onReview),
    page: useAction(actions.page),
  };
  return useRef(kept).current;
}

/** @param {Tools} tools @param {readonly ServerRecord[]} servers @returns {Tools} */
function withEmptyServers(tools, servers) {
  return { ...Object.fromEntries(servers.map((server) => [server.name, []])), ...tools };
}

/** @param {Tools} tools */
function countOf(tools) {
  return Object.values(tools).reduce((sum, list) => sum + list.length, 0);
}

/**
 * @param {{ filter: Filter, setFilter(filter: Filter): void, names: string[], total: number, onTick: ToolActions['onTick'] }} props
 */
function Toolbar({ filter, setFilter, names, total, onTick }) {
  /** @param {{ currentTarget: HTMLInputElement | HTMLSelectElement }} event Of a field that is named as in the filter. */
  const write = ({ currentTarget: { name, value } }) => setFilter({ ...filter, [name]: value });
  const isPart = isFiltering(filter);
  return html`
    <div class="toolbar" role="search" aria-label="Tools">
      <input type="search" name="text" class="filter" aria-label="Filter tools" placeholder="Filter tools"
        value=${filter.text} onInput=${write} />
      <select name="only" aria-label="Which tools are shown" value=${filter.only} onChange=${write}>
        <option value="all">All tools</option>
        <option value="in">In the group</option>
        <option value="out">Not in the group</option>
        <option value="attention">New, changed, missing</option>
      </select>
      <div class="row toolbar-row">
        <small role="status">${isPart ? `${names.length} of ${total} tools shown` : `${total} tools`}</small>
        <button type="button" class="plain push" disabled=${names.length === 0} onClick=${() => onTick(names, true)}>Select all shown</button>
        <button type="button" class="plain" disabled=${names.length === 0} onClick=${() => onTick(names, false)}>Clear all shown</button>
      </div>
    </div>`;
}
