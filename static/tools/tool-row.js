// @ts-check
// One tool. Its name and description come from a server and are hostile: text only, set apart from the text around.
import { html, memo, useId, useState } from '../lib/html.js';
import { lazyPart } from '../lib/lazy.js';
import { Badge, CopyButton } from '../lib/ui.js';
import { tokensText } from '../state/sections.js';

const NameMark = lazyPart(async () => (await import('./name-mark.js')).NameMark);

/** @typedef {import('../state/sections.js').Tool} Tool */

/**
 * @typedef {{ onTick(names: string[], isOn: boolean): void, onTry(tool: Tool): void, onReview(tool: Tool): void,
 *   page(): import('../state/page.js').Page }} ToolActions
 */

/** @param {{ tool: Tool, isOn: boolean, isDraft: boolean, actions: ToolActions }} props */
function drawToolRow({ tool, isOn, isDraft, actions }) {
  const [id, [isOpen, setOpen]] = [useId(), useState(false)];
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const pick = ({ currentTarget }) => actions.onTick([tool.name], currentTarget.checked);
  const cut = tool.name.indexOf('__') + 2;
  return html`
    <li class=${`tool${isDraft ? ' draft' : ''}${isOn ? ' on' : ''}`}>
      <label class="tool-pick">
        <input type="checkbox" checked=${isOn} aria-describedby=${`${id}-text`}
          onChange=${pick} />
        <code class="foreign" dir="auto"><span class="soft">${tool.name.slice(0, cut)}</span>${tool.name.slice(cut)}</code>
      </label>
      <span class="tool-marks"><${Marks} tool=${tool} isDraft=${isDraft} isOn=${isOn} actions=${actions} /></span>
      <button type="button" class="plain" aria-expanded=${isOpen} aria-controls=${`${id}-more`}
        aria-label=${`Details of ${tool.name}`} onClick=${() => setOpen(!isOpen)}>Details</button>
      <p id=${`${id}-text`} class=${`tool-text soft foreign${isOpen ? ' whole' : ' clamp'}`} dir="auto">${describe(tool)}</p>
      <small class="tokens" title="What the definition costs an agent, roughly">
        ${tool.state !== 'missing' && tokensText(tool.token_estimate)}
      </small>
      <div id=${`${id}-more`} class="tool-more" hidden=${!isOpen}>
        ${isOpen && html`<${Details} tool=${tool} actions=${actions} />`}
      </div>
    </li>`;
}

export const ToolRow = memo(drawToolRow);

/** @param {Tool} tool */
function describe({ state, description, title }) {
  if (state === 'missing') return 'In the group, but its server does not offer it now. Agents do not see it.';
  return description || title || 'No description.';
}

/** @param {Parameters<typeof drawToolRow>[0]} props */
function Marks({ tool, isDraft, isOn, actions }) {
  return html`
    ${isDraft && html`<${Badge} kind="info" text=${isOn ? 'will be added' : 'will be removed'} />`}
    ${tool.state === 'new' && html`<${Badge} kind="good" text="new" title="First listed after the group was last saved" />`}
    ${tool.state === 'changed' && html`<${Badge} kind="warn" text="changed" title="Its definition is not the one that was approved for the group" />`}
    ${tool.state === 'missing' && html`<${Badge} kind="bad" text="missing" title="Its server does not offer it now" />`}
    <${Naming} tool=${tool} actions=${actions} />`;
}

/** @param {{ tool: Tool, actions: ToolActions, whole?: boolean }} props */
function Naming(props) {
  const { name_problem: problem, exposed_name: exposed } = props.tool;
  return (problem ?? exposed) && html`<${NameMark} ...${props} />`;
}

/** @param {{ tool: Tool, actions: ToolActions }} props */
function Details({ tool, actions }) {
  const { annotations = {}, input_schema: schema } = tool;
  const hints = [
    annotations.readOnlyHint && 'only reads',
    annotations.destructiveHint && !annotations.readOnlyHint && 'may destroy',
    annotations.openWorldHint && 'reaches outside',
  ].filter(Boolean);
  return html`
    <div class="row">
      <button type="button" class="small" disabled=${tool.state === 'missing'} onClick=${() => actions.onTry(tool)}>Try it<span class="unseen">: ${tool.name}</span></button>
      <${CopyButton} text=${tool.name} label=${`of ${tool.name}`} word="Copy name" />
      ${tool.state === 'changed' && html`<button type="button" class="small" onClick=${() => actions.onReview(tool)}>Review the change<span class="unseen">: ${tool.name}</span></button>`}
      ${hints.map((hint) => html`<${Badge} key=${hint} text=${hint} title="The server says so itself" />`)}
    </div>
    <${Naming} tool=${tool} actions=${actions} whole />
    <h4>Input schema</h4>
    <pre class="foreign" tabindex="0" aria-label=${`Input schema of ${tool.name}`}>${JSON.stringify(schema, null, 2)}</pre>`;
}
