// @ts-check
// The fields for each kind of server. The dialog holds the typed values, so that they survive a failure and a change of
// tabs.
import { ruleAt } from '../lib/api-rules.js';
import { html } from '../lib/html.js';
import { transportWords } from '../server-state/transport-words.js';
import { ContainerFields } from './container-fields.js';
import { Field, SecretRows, Select } from './fields.js';

/** @typedef {import('./form-fields.js').FormProps} FormProps */
/** @typedef {import('./form-fields.js').Row[]} Rows */

const variablesHint = 'Values go to the secrets and are never shown again.';

/** @param {FormProps} props */
export function ImageFields(props) {
  const { fields, problems, rule, set } = props;
  const isHttp = fields.transport !== 'stdio';
  return html`
    ${nameField(props, 'time')}
    ${text(props, 'image', 'Image', { isRequired: true, isCode: true, placeholder: 'mcp/time:1' })}
    ${text(props, 'command', 'Arguments', { isCode: true, hint: "Handed to the image's entrypoint in place of its own." })}
    <${SecretRows} label="Variables" noun="Variable" hint=${variablesHint} rows=${fields.variables}
      problem=${problems.variables} onChange=${(/** @type {Rows} */ variables) => set({ variables })} />
    ${text(props, 'description', 'Description', {})}
    <details class="more">
      <summary>Advanced</summary>
      <${Select} label="Transport" value=${fields.transport} rule=${ruleAt(rule, 'transport')} words=${transportWords}
        absent="stdio, or HTTP when a port is given" onChange=${(/** @type {string} */ transport) => set({ transport })} />
      ${isHttp && text(props, 'port', 'Port', { isCode: true, placeholder: 'the one the image exposes' })}
      ${isHttp && text(props, 'path', 'Path', { isCode: true, placeholder: String(ruleAt(rule, 'path')?.default ?? '') })}
      <${ContainerFields} ...${props} />
    </details>`;
}

/** @param {FormProps} props */
export function UrlFields(props) {
  const { fields, problems, set } = props;
  return html`
    ${nameField(props, 'docs')}
    ${text(props, 'url', 'Address', { isRequired: true, isCode: true, placeholder: 'https://mcp.example/mcp', type: 'url' })}
    <${SecretRows} label="Headers" noun="Header" hint="Such as Authorization with Bearer and a token. ${variablesHint}"
      rows=${fields.headers} problem=${problems.headers} onChange=${(/** @type {Rows} */ headers) => set({ headers })} />
    ${text(props, 'description', 'Description', {})}
    <details class="more">
      <summary>Advanced</summary>
      <label class="row">
        <input type="checkbox" checked=${fields.transport === 'sse'} onChange=${() => set({ transport: fields.transport === 'sse' ? '' : 'sse' })} />
        <span>It speaks the older protocol (HTTP with SSE)</span>
      </label>
    </details>`;
}

/** @param {FormProps} props */
export function CommandFields(props) {
  const { fields, problems, set } = props;
  return html`
    ${nameField(props, 'files')}
    ${text(props, 'command', 'Command', { isRequired: true, isCode: true, placeholder: 'npx -y @modelcontextprotocol/server-filesystem /data' })}
    <${SecretRows} label="Variables" noun="Variable" hint=${variablesHint} rows=${fields.variables}
      problem=${problems.variables} onChange=${(/** @type {Rows} */ variables) => set({ variables })} />
    ${text(props, 'description', 'Description', {})}`;
}

/** @param {FormProps} props @param {string} placeholder */
function nameField(props, placeholder) {
  const longest = ruleAt(props.rule, 'name')?.maxLength;
  const hint = `${longest === undefined ? '' : `At most ${longest} characters. `}Its tools will be called name__tool.`;
  return text(props, 'name', 'Name', { isRequired: true, isCode: true, placeholder, hint });
}

/**
 * @param {FormProps} props @param {Exclude<keyof import('./form-fields.js').BaseFields, 'variables' | 'headers'>} field
 * @param {string} label @param {Partial<import('./fields.js').FieldProps>} options
 */
function text({ fields, problems, set }, field, label, options) {
  return html`
    <${Field} label=${label} value=${fields[field]} problem=${problems[field]} ...${options}
      onInput=${(/** @type {string} */ value) => set({ [field]: value })} />`;
}
