// @ts-check
// A provision or update while it runs: its steps, then the server's tools, or the failure with the server's last lines.
import { html, useEffect, useRef } from '../lib/html.js';
import { Spinner } from '../lib/ui.js';
import { DefinitionProblems } from '../server-state/definition-problems.js';
import { FileText } from '../server-state/file-text.js';
import { LastLines } from '../server-state/last-lines.js';
import { asTyped } from './command-line.js';
import { stepNames } from './provision-progress.js';

/** @type {Record<import('./provision-progress.js').StepName, [string, string]>} */
const labels = {
  pull: ['Pull the image', 'Pulling the image'],
  start: ['Start the container', 'Starting the container'],
  ready: ['Wait for its answer', 'Waiting until it answers as an MCP server'],
  register: ['Register its tools', 'Registering its tools'],
  compare: ['Compare its tools', 'Comparing its tools'],
  swap: ['Take over', 'Taking over'],
};

/** @param {{ progress: import('./provision-progress.js').Progress }} props */
export function LiveSteps({ progress }) {
  return html`
    <ol class="steps" aria-label="Steps">
      ${stepNames(progress).map((step) => {
        const state = progress.steps[step] ?? '';
        const [plain, ongoing] = labels[step];
        return html`
          <li key=${step} class=${state} data-step=${step} data-state=${state}>
            <span class="step-mark" aria-hidden="true">${mark(state)}</span>
            <span>${state === 'running' ? ongoing : plain}<span class="unseen">: ${state}</span></span>
            ${step === 'pull' && html`<${PullProgress} progress=${progress} />`}
          </li>`;
      })}
    </ol>`;
}

/** @param {string} state */
function mark(state) {
  if (state === 'running') return html`<${Spinner} />`;
  return { done: '✓', failed: '✕' }[state] ?? '';
}

/** @param {{ progress: import('./provision-progress.js').Progress }} props */
function PullProgress({ progress: { steps, percent, layers } }) {
  if (steps.pull === 'waiting' || percent === undefined) return null;
  const parts = layers && layers.total > 0 ? `, ${layers.done} of ${layers.total} layers` : '';
  return html`
    <span class="pull">
      <progress max="100" value=${percent} aria-label="Image pulled"></progress>
      <small>${Math.floor(percent)}%${parts}</small>
    </span>`;
}

/** @param {{ failure: import('./provision-progress.js').Failure, undone?: string }} props `undone`: the sentence for a failure whose steps were all undone. */
export function FailureReport({
  failure,
  undone = 'Everything was undone; nothing is left behind. What you typed is kept.',
}) {
  const { reason, exitCode, log, missing, isUndone, elsewhere } = failure;
  return html`
    <div class="stack" role="alert">
      <p class="banner bad"><span class="foreign" dir="auto">${reason}</span></p>
      ${exitCode !== undefined && !/exit code/.test(reason) && html`<p>Its exit code was <code>${exitCode}</code>.</p>`}
      ${missing.length > 0 && html`<p>Variables without a value: <code class="foreign">${missing.join(', ')}</code></p>`}
      <${LastLines} lines=${log} reason=${reason} />
      ${elsewhere && html`<${FileText} ...${elsewhere} />`}
      ${isUndone === true && html`<p class="soft">${undone}</p>`}
      ${isUndone === false && html`<p class="soft">Not everything could be undone; the service will clean up after itself.</p>`}
    </div>`;
}

/**
 * @param {{ name: string, tools: readonly string[], warnings?: readonly string[], problems?: readonly string[], command: string }} props `problems`: of
 *   its definitions. `command`: `svc-mcp`, as it is typed on its machine.
 */
export function ToolsFound({ name, tools, warnings = [], problems = [], command }) {
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => heading.current?.focus(), []);
  const prefix = `${name}__`;
  return html`
    <div class="stack found">
      <div role="status">
        <h3 tabindex="-1" ref=${heading}>${name} is here with ${tools.length === 1 ? '1 tool' : `${tools.length} tools`}</h3>
      </div>
      ${warnings.map((warning) => html`<p key=${warning} class="banner foreign" dir="auto">${asTyped(warning, command)}</p>`)}
      <${DefinitionProblems} record=${{ problems }} />
      <div class="found-tools" tabindex="0" role="group" aria-label="Its tools"><ul class="chips">
        ${tools.map((tool) => html`<li key=${tool}><code class="foreign">${tool.startsWith(prefix) ? tool.slice(prefix.length) : tool}</code></li>`)}
      </ul></div>
    </div>`;
}
