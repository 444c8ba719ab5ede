// @ts-check
import { html, useId, valueTo } from '../lib/html.js';

/** @typedef {Readonly<Record<string, unknown>>} Shared Attributes of both kinds of field. */

const longDescription = 200;

/**
 * @param {{ field: import('./schema-fields.js').Field, value: string, problem?: string,
 *   isFirst: boolean, onInput(name: string, value: string): void, onEnter(): void }} props
 */
export function SchemaField({ field, value, problem, isFirst, onInput, onEnter }) {
  const { name, kind, title, description, isRequired, hint } = field;
  const id = useId();
  const notes = [description && `${id}-about`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const shared = {
    id,
    value,
    name,
    // Where the focus goes when the dialog opens.
    autofocus: isFirst,
    'aria-required': isRequired,
    'aria-invalid': Boolean(problem),
    'aria-describedby': notes || undefined,
    onInput: valueTo((text) => onInput(name, text)),
  };
  return html`
    <div class="entry">
      <label for=${id}>
        <span class="foreign" dir="auto">${title || name}</span>
        ${isRequired && html`<span class="required" aria-hidden="true">*</span>`}
        <small>${[title && name !== title ? name : '', hint, isRequired ? 'required' : ''].filter(Boolean).join(' · ')}</small>
      </label>
      ${kind === 'choice' ? html`<${Choice} field=${field} shared=${shared} />` : html`<${Typed} kind=${kind} shared=${shared} onEnter=${onEnter} />`}
      ${description && html`<small id=${`${id}-about`} class=${`foreign ${description.length > longDescription ? 'long' : ''}`} dir="auto">${description}</small>`}
      ${problem && html`<small class="problem" id=${`${id}-problem`}>${problem}</small>`}
    </div>`;
}

/** @param {{ field: import('./schema-fields.js').Field, shared: Shared }} props */
function Choice({ field, shared }) {
  return html`
    <select ...${shared}>
      ${(!field.isRequired || field.initial === '') && html`<option value="">${field.isRequired ? 'Choose…' : 'Not set'}</option>`}
      ${field.choices?.map(({ json, label }) => html`<option key=${json} value=${json}>${label}</option>`)}
    </select>`;
}

/**
 * Enter runs the tool from a line of text; with Shift it begins another line.
 * @param {{ kind: import('./schema-fields.js').FieldKind, shared: Shared, onEnter(): void }} props
 */
function Typed({ kind, shared, onEnter }) {
  if (kind === 'number' || kind === 'integer') {
    return html`<input type="number" step=${kind === 'integer' ? 1 : 'any'} autocomplete="off" ...${shared} />`;
  }
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const runs = kind === 'text' ? !event.shiftKey : event.ctrlKey || event.metaKey;
    if (event.key !== 'Enter' || !runs || event.isComposing) return;
    event.preventDefault();
    onEnter();
  };
  return html`<textarea class=${kind === 'json' ? 'code' : 'grows'} rows=${kind === 'json' ? 3 : 1} spellcheck=${kind !== 'json'} onKeyDown=${onKeyDown} ...${shared} />`;
}
