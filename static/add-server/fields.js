// @ts-check
// The building blocks of the forms: a labelled field with its problem, and rows of names with masked values.
import { html, useAction, useEffect, useId, useRef, valueTo } from '../lib/html.js';

/**
 * @typedef {{ label: string, hint?: string, problem?: string, value: string, onInput(value: string): void, type?: string,
 *   placeholder?: string, multiline?: boolean, isRequired?: boolean, isCode?: boolean, rows?: string,
 *   inputmode?: string }} FieldProps
 */

/** @param {FieldProps} props */
export function Field({ label, hint, problem, value, onInput, multiline, isRequired, isCode, ...rest }) {
  const id = useId();
  const notes = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const attributes = {
    id,
    value,
    class: isCode ? 'code' : undefined,
    spellcheck: !isCode,
    autocomplete: 'off',
    'aria-required': isRequired,
    'aria-invalid': Boolean(problem),
    'aria-describedby': notes || undefined,
    onInput: valueTo(onInput),
    ...rest,
  };
  return html`
    <div class="entry">
      <label for=${id}>${label}${isRequired ? '' : html`<small>optional</small>`}</label>
      ${multiline ? html`<textarea ...${attributes} />` : html`<input type="text" ...${attributes} />`}
      ${hint && html`<small id=${`${id}-hint`}>${hint}</small>`}
      ${problem && html`<small class="problem" id=${`${id}-problem`}>${problem}</small>`}
    </div>`;
}

/**
 * The values that a rule allows. Its default, or what happens without a value, is offered as no value, and comes first.
 * @param {{ label: string, value: string, rule?: import('../lib/api-rules.js').Rule, words: Readonly<Record<string, string>>,
 *   absent?: string, onChange(value: string): void }} props `words`: of the values. `absent`: of none; without it the
 *   default's.
 */
export function Select({ label, value, rule, words, absent, onChange }) {
  const id = useId();
  const wordOf = (/** @type {unknown} */ option) => words[String(option)] ?? String(option);
  const others = (rule?.enum ?? []).filter((option) => option !== rule?.default);
  return html`
    <div class="entry">
      <label for=${id}>${label}</label>
      <select id=${id} value=${value} onChange=${valueTo(onChange)}>
        <option value="">${absent ?? wordOf(rule?.default ?? '')}</option>
        ${others.map((option) => html`<option key=${option} value=${option}>${wordOf(option)}</option>`)}
      </select>
    </div>`;
}

/**
 * Values are masked from the first letter on; nothing reads them back.
 * @param {{ label: string, noun: string, hint: string, rows: import('./form-fields.js').Row[], problem?: string,
 *   onChange(rows: import('./form-fields.js').Row[]): void }} props
 */
export function SecretRows({ label, noun, hint, rows, problem, onChange }) {
  const [box, nextId] = [useRef(/** @type {HTMLElement | null} */ (null)), useRef(rows.length)];
  const change = (/** @type {number} */ id, /** @type {Partial<import('./form-fields.js').Row>} */ patch) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...patch } : row)));
  const add = useAction(() => {
    nextId.current = Math.max(nextId.current, ...rows.map(({ id }) => id)) + 1;
    onChange([...rows, { id: nextId.current, name: '', value: '' }]);
    requestAnimationFrame(() => focusLast(box.current));
  });
  const remove = (/** @type {number} */ id) => {
    onChange(rows.filter((row) => row.id !== id));
    /** @type {HTMLElement | null | undefined} */ (box.current?.querySelector('.add-row'))?.focus();
  };
  return html`
    <fieldset class="secret-rows" ref=${box}>
      <legend>${label} <small>optional</small></legend>
      ${rows.map(
        (row, at) => html`
          <div class="secret-row" key=${row.id}>
            <input type="text" class="code" aria-label=${`${noun} ${at + 1}: name`} placeholder="NAME" value=${row.name}
              spellcheck=${false} autocomplete="off" onInput=${valueTo((name) => change(row.id, { name }))} />
            <input type="password" aria-label=${`${noun} ${at + 1}: value`} placeholder="value" value=${row.value}
              autocomplete="new-password" onInput=${valueTo((value) => change(row.id, { value }))} />
            <button type="button" class="icon" aria-label=${`Remove ${noun.toLowerCase()} ${row.name || at + 1}`}
              onClick=${() => remove(row.id)}>✕</button>
          </div>`,
      )}
      <button type="button" class="small add-row" onClick=${add}>+ ${noun}</button>
      <small>${hint}</small>
      ${problem && html`<small class="problem">${problem}</small>`}
    </fieldset>`;
}

/** @param {HTMLElement | null} box */
function focusLast(box) {
  const names = box?.querySelectorAll('input[type="text"]');
  /** @type {HTMLElement | undefined} */ (names?.[names.length - 1])?.focus();
}

/**
 * Focuses the first field, unless the focus moves between tabs by keyboard and would be taken away.
 * @param {{ current: HTMLElement | null }} form @param {boolean} [isWanted]
 */
export function useFirstFocus(form, isWanted = true) {
  useEffect(() => {
    if (!isWanted || document.activeElement?.matches('[role="tab"]:focus-visible')) return;
    /** @type {HTMLElement | null | undefined} */ (form.current?.querySelector('input, textarea'))?.focus();
  }, []);
}

/**
 * Focuses the first field that has a problem. A closed section around it is opened once: it may be closed again, and stays
 * open when the problem is gone.
 * @param {Element | null | undefined} form
 */
export function focusProblem(form) {
  requestAnimationFrame(() => {
    for (const one of form?.querySelectorAll('[aria-invalid="true"]') ?? [])
      one.closest('details')?.setAttribute('open', '');
    const wrong = form?.querySelector('[aria-invalid="true"]') ?? form?.querySelector('.problem');
    const field = wrong?.closest('fieldset')?.querySelector('input') ?? wrong;
    /** @type {HTMLElement | null | undefined} */ (field)?.focus();
  });
}
