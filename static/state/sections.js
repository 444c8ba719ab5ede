// @ts-check
// The tools that are shown, by server, and their sums.
import { isWanted } from './selection.js';

/**
 * @typedef {import('../../lib/groups/listed-tool.ts').ListedGroupTool} Tool
 * @typedef {Readonly<Record<string, readonly Tool[]>>} Tools By server.
 * @typedef {Partial<Tool> & Pick<Tool, 'name' | 'enabled'>} ToolNow Of one that is not listed now only these are known.
 * @typedef {{ name: string, tools: readonly Tool[] }} Section
 * @typedef {{ text: string, only: 'all' | 'in' | 'out' | 'attention' }} Filter
 * @typedef {{ draft: import('./selection.js').Draft, saved: ReadonlySet<string> }} Selection
 */

/** @param {Filter} filter */
export function isFiltering({ text, only }) {
  return text.trim() !== '' || only !== 'all';
}

/**
 * Every server with at least one tool to show; without a filter also those that have none, after the others.
 * @param {Tools} tools @param {Filter} filter @param {Selection} selection
 * @returns {Section[]}
 */
export function sectionsOf(tools, filter, selection) {
  const isEmpty = (/** @type {string} */ name) => (tools[name]?.length === 0 ? 1 : 0);
  const names = Object.keys(tools).sort(
    (one, other) => isEmpty(one) - isEmpty(other) || one.localeCompare(other),
  );
  if (!isFiltering(filter)) return names.map((name) => ({ name, tools: tools[name] ?? [] }));
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return names
    .map((name) => ({
      name,
      tools: (tools[name] ?? []).filter(
        (tool) => passes(tool, filter, selection) && hasWords(tool, name, words),
      ),
    }))
    .filter((section) => section.tools.length > 0);
}

/** @param {Tool} tool @param {string} server @param {readonly string[]} words Lower case. */
function hasWords(tool, server, words) {
  const text = `${tool.name} ${server} ${tool.title ?? ''} ${tool.description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** A tool keeps its place while it is ticked or unticked: it counts when it is saved or wanted. */
function passes(
  /** @type {Tool} */ tool,
  /** @type {Filter} */ { only },
  /** @type {Selection} */ { draft, saved },
) {
  if (only === 'in') return saved.has(tool.name) || draft.get(tool.name) === true;
  if (only === 'out') return !saved.has(tool.name) || draft.get(tool.name) === false;
  return only === 'all' || tool.state !== 'present' || tool.name_problem !== undefined;
}

/**
 * @param {readonly Tool[]} tools @param {Selection} selection
 * @returns {{ on: number, of: number, tokens: number }} How many are ticked, and what those cost an agent.
 */
export function sumOf(tools, { draft, saved }) {
  const wanted = tools.filter((tool) => isWanted(draft, saved, tool.name));
  return {
    on: wanted.length,
    of: tools.length,
    tokens: wanted.reduce((sum, tool) => sum + tool.token_estimate, 0),
  };
}

/** Those that can be put into a group. @param {Tools} tools */
export function offeredNames(tools) {
  const offered = Object.values(tools).flatMap((list) => list.filter(({ state }) => state !== 'missing'));
  return offered.map(({ name }) => name);
}

/**
 * Of each tool the approved definition, where that is another one than its server lists now, else the current one. A Save
 * approves these of what is ticked, and an Undo of what it switches on again.
 * @param {Iterable<string>} names @param {Tools} tools
 * @returns {[string, string][]} Names and hashes; a tool that its server does not list may have none.
 */
export function definitionsOf(names, tools) {
  const wanted = new Set(names);
  return Object.values(tools)
    .flat()
    .flatMap(({ name, approved_hash, definition_hash }) => {
      const hash = approved_hash ?? definition_hash;
      return hash && wanted.has(name) ? [[name, hash]] : [];
    });
}

/** "≈ 1.2k tokens". @param {number} tokens */
export function tokensText(tokens) {
  const count = tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k`;
  return `≈ ${count} tokens`;
}
