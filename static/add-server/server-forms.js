// @ts-check
// The fields for each kind of server. The dialog holds the typed values, so that they survive a failure and a change of
// tabs.
import { html } from '../lib/html.js';
import { ContainerFields } from './container-fields.js';
import { Field, SecretRows } from './fields.js';

/** @typedef {import('./form-requests.js').Fields} Fields */

const nameHint = 'At most 30 characters. Its tools will be called name__tool.';
const variablesHint = 'Values go to the secrets and are never shown again.';

/** @param {import('./form-requests.js').FormProps} props */
export function ImageFields(props) {
  const { fields, problems, set } = props;
  const isHttp = fields.transport !== 'stdio';
  return html`
    ${text(props, 'name', 'Name', { isRequired: true, isCode: true, placeholder: 'time', hint: nameHint })}
    ${text(props, 'image', 'Image', { isRequired: true, isCode: true, placeholder: 'mcp/time:1' })}
    ${text(props, 'command', 'Arguments', { isCode: true, hint: "Handed to the image's entrypoint in place of its own." })}
    <${SecretRows} label="Variables" noun="Variable" hint=${variablesHint} rows=${fields.variables}
      problem=${problems.variables} onChange=${(/** @type {any} */ variables) => set({ variables })} />
    ${text(props, 'description', 'Description', {})}
    <details class="more">
      <summary>Advanced</summary>
      <div class="entry">
        <label for="add-transport">Transport</label>
        <select id="add-transport" value=${fields.transport} onChange=${(/** @type {any} */ event) => set({ transport: event.target.value })}>
          <option value="">stdio, or HTTP when a port is given</option>
          <option value="stdio">stdio</option>
          <option value="streamable_http">Streamable HTTP</option>
        </select>
      </div>
      ${isHttp && text(props, 'port', 'Port', { isCode: true, placeholder: 'the one the image exposes' })}
      ${isHttp && text(props, 'path', 'Path', { isCode: true, placeholder: '/mcp' })}
      <${ContainerFields} ...${props} />
    </details>`;
}

/** @param {import('./form-requests.js').FormProps} props */
export function UrlFields(props) {
  const { fields, problems, set } = props;
  return html`
    ${text(props, 'name', 'Name', { isRequired: true, isCode: true, placeholder: 'docs', hint: nameHint })}
    ${text(props, 'url', 'Address', { isRequired: true, isCode: true, placeholder: 'https://mcp.example/mcp', type: 'url' })}
    <${SecretRows} label="Headers" noun="Header" hint="Such as Authorization with Bearer and a token. ${variablesHint}"
      rows=${fields.headers} problem=${problems.headers} onChange=${(/** @type {any} */ headers) => set({ headers })} />
    ${text(props, 'description', 'Description', {})}
    <details class="more">
      <summary>Advanced</summary>
      <label class="row">
        <input type="checkbox" checked=${fields.transport === 'sse'} onChange=${() => set({ transport: fields.transport === 'sse' ? '' : 'sse' })} />
        <span>It speaks the older protocol (HTTP with SSE)</span>
      </label>
    </details>`;
}

/** @param {import('./form-requests.js').FormProps} props */
export function CommandFields(props) {
  const { fields, problems, set } = props;
  return html`
    ${text(props, 'name', 'Name', { isRequired: true, isCode: true, placeholder: 'files', hint: nameHint })}
    ${text(props, 'command', 'Command', { isRequired: true, isCode: true, placeholder: 'npx -y @modelcontextprotocol/server-filesystem /data' })}
    <${SecretRows} label="Variables" noun="Variable" hint=${variablesHint} rows=${fields.variables}
      problem=${problems.variables} onChange=${(/** @type {any} */ variables) => set({ variables })} />
    ${text(props, 'description', 'Description', {})}`;
}

/** @param {import('./form-requests.js').FormProps} props @param {keyof Fields} field @param {string} label @param {any} options */
function text({ fields, problems, set }, field, label, options) {
  return html`
    <${Field} label=${label} value=${fields[field]} problem=${problems[field]} ...${options}
      onInput=${(/** @type {string} */ value) => set({ [field]: value })} />`;
}
