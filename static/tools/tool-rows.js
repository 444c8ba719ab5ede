// @ts-check
// The rows of one server. Thousands of them are drawn a block at a time: the first ones are there at once, and a tick
// draws its own block again instead of all.
import { html, memo, useEffect, useState } from '../lib/html.js';
import { isWanted } from '../state/selection.js';
import { ToolRow } from './tool-row.js';

const blockLength = 100;

/**
 * @typedef {object} RowsProps
 * @property {readonly import('../state/sections.js').Tool[]} tools
 * @property {import('../state/sections.js').Selection} selection
 * @property {import('./tool-row.js').ToolActions} actions
 */

/** @param {RowsProps} props */
export function ToolRows({ tools, selection, actions }) {
  const count = useGrowing(Math.ceil(tools.length / blockLength));
  const blocks = Array.from({ length: count }, (_, at) =>
    tools.slice(at * blockLength, (at + 1) * blockLength),
  );
  return html`
    <ul class=${tools.length > blockLength ? 'tools many' : 'tools'}>
      ${blocks.map((block, at) => html`<${Block} key=${at} tools=${block} selection=${selection} actions=${actions} />`)}
    </ul>`;
}

/** @param {number} length @returns {number} 1, then more with each turn, up to the length. */
function useGrowing(length) {
  const [count, setCount] = useState(1);
  useEffect(() => {
    if (count >= length) return;
    const timer = setTimeout(() => setCount(count + 4));
    return () => clearTimeout(timer);
  }, [count, length]);
  return Math.min(count, length);
}

/** @param {RowsProps} props */
function drawBlock({ tools, selection: { draft, saved }, actions }) {
  return tools.map(
    (tool) => html`
      <${ToolRow} key=${tool.name} tool=${tool} isOn=${isWanted(draft, saved, tool.name)}
        isDraft=${draft.has(tool.name)} actions=${actions} />`,
  );
}

const Block = memo(drawBlock, isSameRows);

/**
 * Whether the same tools are there with the same ticks.
 * @param {Pick<RowsProps, 'tools' | 'selection'>} before @param {Pick<RowsProps, 'tools' | 'selection'>} after
 */
export function isSameRows({ tools: were, selection: was }, { tools: are, selection: is }) {
  const isSame = were === are || (were.length === are.length && were.every((tool, at) => tool === are[at]));
  return isSame && (was === is || are.every(({ name }) => isSameTick(name, was, is)));
}

/** @param {string} name @param {RowsProps['selection']} was @param {RowsProps['selection']} is */
function isSameTick(name, was, is) {
  return was.draft.get(name) === is.draft.get(name) && was.saved.has(name) === is.saved.has(name);
}
