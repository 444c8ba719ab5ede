// @ts-check
// Try a tool: a form from its schema, the call as an agent makes it through the group's endpoint, the result.
import { html, useAction, useEffect, useRef, useState } from '../lib/html.js';
import { Dialog } from '../lib/ui.js';
import { ArgumentsForm } from './arguments-form.js';
import { callTool } from './mcp-client.js';
import { ToolResult } from './tool-result.js';

/** @typedef {{ milliseconds?: number, result?: any, problem?: string, needsToken?: boolean }} Outcome */
/** @typedef {{ progress: number, total?: number, message?: string }} Progress */

/**
 * @param {{ tool: any, groupEndpoint: string, onClose(): void }} props `tool` as `GET /api/tools` lists it; one that is
 *   not `enabled` is not in the saved group, so no agent could call it either.
 */
export function TryTool({ tool, groupEndpoint, onClose }) {
  const call = useCall();
  const [token, setToken] = useState('');
  const run = (/** @type {string} */ argumentsJson) =>
    call.run({ endpoint: groupEndpoint, tool: tool.exposed_name ?? tool.name, argumentsJson, token });
  const title = html`Try <code class="foreign">${tool.name}</code>`;
  return html`
    <${Dialog} title=${title} wide onClose=${onClose}>
      ${tool.description && html`<p class="soft foreign try-about" dir="auto" tabindex="0" role="group" aria-label="Description">${tool.description}</p>`}
      ${
        tool.enabled
          ? html`<${ArgumentsForm} schema=${tool.input_schema} isBusy=${call.isBusy} onRun=${run} onCancel=${call.cancel}>
                ${(token !== '' || call.outcome?.needsToken) && html`<${TokenField} value=${token} onInput=${setToken} />`}
              <//>
              <${CallProgress} progress=${call.isBusy ? call.progress : undefined} />
              <${ToolResult} outcome=${call.outcome} />`
          : html`<p class="banner">Only tools that are saved in the group can be tried, as an agent would. Tick it and save first.</p>`
      }
    <//>`;
}

function useCall() {
  const [state, setState] = useState(
    /** @type {{ isBusy: boolean, outcome?: Outcome, progress?: Progress }} */ ({ isBusy: false }),
  );
  const running = useRef(/** @type {AbortController | undefined} */ (undefined));
  const cancel = useAction(() => running.current?.abort());
  useEffect(() => cancel, []);
  const run = useAction(async (/** @type {import('./mcp-client.js').ToolCall} */ call) => {
    if (state.isBusy) return;
    const leaving = new AbortController();
    running.current = leaving;
    setState({ isBusy: true });
    const onProgress = (/** @type {Progress} */ progress) => setState((before) => ({ ...before, progress }));
    const outcome = await callTool({ ...call, signal: leaving.signal, onProgress }).catch((error) => ({
      problem: leaving.signal.aborted ? 'Cancelled.' : error.message,
      needsToken: error.status === 401,
    }));
    setState({ isBusy: false, outcome });
  });
  return { ...state, run, cancel };
}

/** @param {{ progress: Progress | undefined }} props */
function CallProgress({ progress }) {
  if (progress === undefined) return null;
  const { progress: done, total, message } = progress;
  return html`
    <p class="pull" role="status">
      <progress max=${total ?? 1} value=${total ? done : undefined} aria-label="Progress of the call"></progress>
      <small class="foreign">${message ?? (total ? `${done} of ${total}` : done)}</small>
    </p>`;
}

/** @param {{ value: string, onInput(value: string): void }} props */
function TokenField({ value, onInput }) {
  return html`
    <label class="field">Gateway token
      <input type="password" autocomplete="new-password" value=${value} onInput=${(/** @type {any} */ event) => onInput(event.target.value)} />
      <small>This gateway asks agents for a token. It is kept until this dialog is closed.</small>
    </label>`;
}
