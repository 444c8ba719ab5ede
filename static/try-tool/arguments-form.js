// @ts-check
// The arguments of one call: field by field, or as one JSON object, by choice or for a schema that no form can show.
import { html, useAction, useMemo, useRef, useState } from '../lib/html.js';
import { Spinner } from '../lib/ui.js';
import { SchemaField } from './schema-field.js';
import { argumentsOf, fieldsOf, objectProblem } from './schema-fields.js';
import { valuesOf, wholeOf } from './whole-arguments.js';

/** @typedef {import('./whole-arguments.js').Texts} Texts */

/** @type {Texts} */
const none = new Map();
/** Shown instead of all others, so a field of the same name is not in its way. @type {import('./schema-fields.js').Field} */
const wholeField = {
  ...{ name: '', kind: 'json', isRequired: true, title: 'Arguments' },
  ...{ description: '', initial: '', hint: 'one JSON object' },
};

/**
 * @param {{ schema: unknown, isBusy: boolean, onRun(argumentsJson: string): void, onCancel(): void,
 *   children?: import('../lib/html.js').Children }} props
 */
export function ArgumentsForm({ schema, isBusy, onRun, onCancel, children }) {
  const { fields, set, read, problems, isWhole, toggle } = useArguments(schema);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const run = useAction((/** @type {Event | undefined} */ event) => {
    event?.preventDefault();
    const json = read();
    if (json === undefined) focusFirst(form.current, '[aria-invalid="true"]');
    else onRun(json);
  });
  const cancel = useAction(() => {
    focusFirst(form.current, '[type="submit"]');
    onCancel();
  });
  const change = useAction(() => toggle?.() || focusFirst(form.current, '[aria-invalid="true"]'));
  const label = isWhole ? 'Back to the form' : 'Arguments as JSON';
  return html`
    <form class="stack" ref=${form} onSubmit=${run} noValidate>
      ${fields.map(
        ({ field, value }, at) => html`
          <${SchemaField} key=${`field ${field.name}`} field=${field} value=${value} isFirst=${at === 0}
            problem=${problems.get(field.name)} onInput=${set} onEnter=${run} />`,
      )}
      ${fields.length === 0 && html`<p class="soft">It takes no arguments.</p>`}
      ${children}
      <div class="row">
        <button type="submit" class="primary" autofocus=${fields.length === 0} aria-disabled=${isBusy}>${isBusy ? html`<${Spinner} /> Running` : 'Run'}</button>
        ${isBusy && html`<button type="button" onClick=${cancel}>Cancel</button>`}
        ${toggle && html`<button type="button" class="plain push" onClick=${change}>${label}</button>`}
      </div>
    </form>`;
}

/**
 * The state of the form, as fields or as one JSON object, converted when the reader switches.
 * @param {unknown} schema
 */
function useArguments(schema) {
  const known = useMemo(() => fieldsOf(schema), [schema]);
  const [values, setValues] = useState(none);
  const [whole, setWhole] = useState(/** @type {string | undefined} */ (known ? undefined : '{}'));
  const [problems, setProblems] = useState(none);
  const isWhole = whole !== undefined;
  const typed = () => (isWhole ? wholeArguments(whole) : argumentsOf(known ?? [], values));
  const set = useAction((/** @type {string} */ name, /** @type {string} */ text) => {
    if (isWhole) setWhole(text);
    else setValues((before) => new Map(before).set(name, text));
  });
  const fields = isWhole
    ? [{ field: wholeField, value: whole }]
    : (known ?? []).map((field) => ({ field, value: values.get(field.name) ?? field.initial }));
  /** Values that the fields cannot hold stay in the text, with a message. Returns whether all values were taken over. */
  const toggle = () => {
    const { values: found, problem } = isWhole
      ? valuesOf(known ?? [], values, whole)
      : { values, problem: '' };
    setProblems(problem ? new Map([[wholeField.name, problem]]) : none);
    if (problem) return false;
    setValues(found);
    setWhole(isWhole ? undefined : wholeOf(known ?? [], values));
    return true;
  };
  /** Undefined when something is wrong, which is then shown. */
  const read = () => {
    const { json, problems: found } = typed();
    setProblems(found);
    return found.size === 0 ? json : undefined;
  };
  return { fields, problems, isWhole, set, read, toggle: known?.length ? toggle : undefined };
}

/** @param {string} json @returns {{ json: string, problems: Texts }} */
function wholeArguments(json) {
  const problem = objectProblem(json);
  return { json, problems: problem ? new Map([[wholeField.name, problem]]) : none };
}

/** After it was drawn. @param {HTMLElement | null} form @param {string} selector */
function focusFirst(form, selector) {
  requestAnimationFrame(() =>
    /** @type {HTMLElement | null | undefined} */ (form?.querySelector(selector))?.focus(),
  );
}
