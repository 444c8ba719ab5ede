// @ts-check
// A field for each value that a pasted file asks for.
import { html, useId, valueTo } from '../lib/html.js';
import { Field } from './fields.js';

/** @typedef {import('./input-values.js').Input} Input */

/**
 * @param {{ inputs: readonly Input[], values: import('./input-values.js').Values, isTried: boolean, isBusy: boolean, onChange(id: string, value: string): void }} props
 *   `isTried`: missing values are marked.
 */
export function PasteInputs({ inputs, values, isTried, isBusy, onChange }) {
  if (inputs.length === 0) return null;
  return html`
    <fieldset class="paste-inputs" disabled=${isBusy}>
      <legend>Asked for</legend>
      ${inputs.map((input) => html`<${InputField} key=${input.id} input=${input} value=${values[input.id] ?? ''} isTried=${isTried} onChange=${onChange} />`)}
    </fieldset>`;
}

/** @param {{ input: Input, value: string, isTried: boolean, onChange(id: string, value: string): void }} props */
function InputField({ input: { id, description, password, options, servers }, value, isTried, onChange }) {
  const label = description || id;
  const problem = isTried && value === '' ? 'A value is needed.' : undefined;
  if (options)
    return html`<${Choice} id=${id} label=${label} options=${options} value=${value} problem=${problem} onChange=${onChange} />`;
  return html`
    <${Field} label=${label} isRequired isCode value=${value} problem=${problem} type=${password ? 'password' : 'text'}
      hint=${`For ${servers.join(', ')}.${password ? ' It goes to the secrets and is never shown again.' : ''}`}
      onInput=${(/** @type {string} */ text) => onChange(id, text)} />`;
}

/** @param {{ id: string, label: string, options: readonly string[], value: string, problem?: string, onChange(id: string, value: string): void }} props */
function Choice({ id, label, options, value, problem, onChange }) {
  const element = useId();
  return html`
    <div class="entry">
      <label for=${element}>${label}</label>
      <select id=${element} value=${value} aria-invalid=${Boolean(problem)} onChange=${valueTo((text) => onChange(id, text))}>
        ${value === '' && html`<option value="">Choose</option>`}
        ${options.map((option) => html`<option key=${option} value=${option}>${option}</option>`)}
      </select>
      ${problem && html`<small class="problem">${problem}</small>`}
    </div>`;
}
