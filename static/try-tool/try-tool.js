// @ts-check
// Try a tool: a form from its schema, the call, the result. A tool that is saved in the group is called as an agent calls
// it, through the group's endpoint; every other one by the manager, which counts as a try and not as an agent's call.
import { messageOf } from '../lib/api.js';
import { html, useAction, useEffect, useRef, useState, valueTo } from '../lib/html.js';
import { Dialog } from '../lib/ui.js';
import { ArgumentsForm } from './arguments-form.js';
import { callTool, McpFailure } from './mcp-client.js';
import { ToolResult } from './tool-result.js';
import { tryTool } from './try-request.js';

/** @typedef {import('./tool-result.js').Outcome} Outcome */
/** @typedef {import('./mcp-client.js').Progress} Progress */
/** @typedef {import('../lib/api.js').AnswerOf<'GET /api/status'>} Status */

/**
 * @param {{ tool: import('../state/sections.js').ToolNow, group: string, groupEndpoint: string,
 *   api: import('../lib/api.js').Api, status?: Status, onClose(): void }} props A tool that is not `enabled` is not in the
 *   saved group.
 */
export function TryTool({ tool, group, groupEndpoint, api, status, onClose }) {
  const call = useCall();
  const [token, setToken] = useState('');
  const run = (/** @type {string} */ argumentsJson) =>
    call.run(async ({ signal, onProgress }) => {
      if (!tool.enabled) return await tryTool({ api, tool: tool.name, group, argumentsJson, signal });
      const { protocol_version: protocolVersion } = status ?? (await api.call('GET /api/status'));
      const name = tool.exposed_name ?? tool.name;
      const asked = { endpoint: groupEndpoint, protocolVersion, tool: name, argumentsJson, token };
      return await callTool({ ...asked, signal, onProgress });
    });
  const title = html`Try <code class="foreign">${tool.name}</code>`;
  return html`
    <${Dialog} title=${title} wide onClose=${onClose}>
      ${tool.description && html`<p class="soft foreign try-about" dir="auto" tabindex="0" role="group" aria-label="Description">${tool.description}</p>`}
      ${
        tool.enabled || status?.tries_allowed
          ? html`${!tool.enabled && html`<p class="banner">It is not saved in ${group}: the manager calls it, and agents do not get it by that.</p>`}
              <${ArgumentsForm} schema=${tool.input_schema} isBusy=${call.isBusy} onRun=${run} onCancel=${call.cancel}>
                ${(token !== '' || call.outcome?.needsToken) && html`<${TokenField} value=${token} onInput=${setToken} />`}
              <//>
              <${CallProgress} progress=${call.isBusy ? call.progress : undefined} />
              <${ToolResult} outcome=${call.outcome} />`
          : html`<p class="banner">Only tools that are saved in the group can be tried here, as an agent would: tick it and save first. To try others on this page, set ADMIN_TOKEN.</p>`
      }
    <//>`;
}

/** @typedef {(how: { signal: AbortSignal, onProgress(progress: Progress): void }) => Promise<Outcome>} Calling */

function useCall() {
  const [state, setState] = useState(
    /** @type {{ isBusy: boolean, outcome?: Outcome, progress?: Progress }} */ ({ isBusy: false }),
  );
  const running = useRef(/** @type {AbortController | undefined} */ (undefined));
  const cancel = useAction(() => running.current?.abort());
  useEffect(() => cancel, []);
  const run = useAction(async (/** @type {Calling} */ make) => {
    if (state.isBusy) return;
    const leaving = new AbortController();
    running.current = leaving;
    setState({ isBusy: true });
    const onProgress = (/** @type {Progress} */ progress) => setState((before) => ({ ...before, progress }));
    const outcome = await make({ signal: leaving.signal, onProgress }).catch(
      (/** @type {unknown} */ error) => ({
        problem: leaving.signal.aborted ? 'Cancelled.' : messageOf(error),
        needsToken: error instanceof McpFailure && error.status === 401,
      }),
    );
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
      <input type="password" autocomplete="new-password" value=${value} onInput=${valueTo(onInput)} />
      <small>This gateway asks agents for a token. It is kept until this dialog is closed.</small>
    </label>`;
}
