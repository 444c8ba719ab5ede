// @ts-check
// The dialogs of a group: new, describe, rename, delete. A refusal is shown inside, and what was typed stays.
import { messageOf } from '../lib/api.js';
import { loadRules, ruleAt } from '../lib/api-rules.js';
import { html, useEffect, useState } from '../lib/html.js';
import { Dialog, Spinner } from '../lib/ui.js';
import { FileText, fileIn } from '../server-state/file-text.js';
import { counted } from '../server-state/server-status.js';
import { createGroupRequests } from './group-requests.js';

/**
 * A form in a dialog that closes when its action is done.
 * @param {{ title: string, action: string, isDanger?: boolean, onSubmit(form: FormData): Promise<void>,
 *   onClose(): void, children?: import('../lib/html.js').Children }} props
 */
function FormDialog({ title, action, isDanger = false, onSubmit, onClose, children }) {
  const [{ isBusy, error }, setState] = useState({
    isBusy: false,
    error: /** @type {unknown} */ (undefined),
  });
  const elsewhere = fileIn(error);
  const submit = async (/** @type {Event & { currentTarget: HTMLFormElement }} */ event) => {
    event.preventDefault();
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    setState({ isBusy: true, error: undefined });
    try {
      await onSubmit(form);
      onClose();
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <form class="stack" onSubmit=${submit}>
        ${children}
        ${error !== undefined && html`<p class="banner bad" role="alert">${messageOf(error)}</p>`}
        ${elsewhere && html`<${FileText} ...${elsewhere} />`}
        <div class="dialog-actions">
          ${isBusy && html`<${Spinner} />`}
          <button type="button" onClick=${onClose}>Cancel</button>
          <button type="submit" class=${isDanger ? 'danger' : 'primary'} aria-disabled=${isBusy}>${action}</button>
        </div>
      </form>
    <//>`;
}

/** @typedef {import('../state/page.js').Page} Page */

/** @param {FormData} form @param {string} name */
const textIn = (form, name) => String(form.get(name) ?? '').trim();

/**
 * What the manager demands of a field of a body. Until it is known, and where it cannot be had, the manager alone checks.
 * @param {Page} page @param {import('../lib/api.js').ManagerCall} call @param {string} field
 */
function useRule({ api }, call, field) {
  const [rule, setRule] = useState(/** @type {import('../lib/api-rules.js').Rule | undefined} */ (undefined));
  useEffect(() => {
    loadRules(api).then(
      (rules) => setRule(ruleAt(rules.bodyOf(call), field)),
      () => {},
    );
  }, []);
  return rule;
}

/** @param {{ from: string, count: number, page: Page, onClose(): void }} props */
export function NewGroupDialog({ from, count, page, onClose }) {
  const { maxLength } = useRule(page, 'POST /api/groups/{name}', 'description') ?? {};
  /** @param {FormData} form */
  const create = (form) =>
    createGroupRequests(page).create({
      name: textIn(form, 'name'),
      description: textIn(form, 'description'),
      isCopy: textIn(form, 'start') === 'copy',
    });
  return html`
    <${FormDialog} title="New group" action="Create group" onSubmit=${create} onClose=${onClose}>
      <${NameField} page=${page} />
      <label class="field">Description
        <textarea name="description" rows="2" maxlength=${maxLength}></textarea>
        <small>For whom or for what. Optional.</small>
      </label>
      <fieldset class="choices">
        <legend>Start with</legend>
        <label><input type="radio" name="start" value="empty" defaultChecked /> <span>no tools</span></label>
        <label><input type="radio" name="start" value="copy" /> <span>a copy of <span class="foreign">${from}</span>, ${counted(count, 'tool')} as saved</span></label>
      </fieldset>
    <//>`;
}

/** @param {{ page: Page, value?: string }} props */
function NameField({ page, value }) {
  const { pattern, maxLength } = useRule(page, 'POST /api/groups/{name}/rename', 'name') ?? {};
  return html`
    <label class="field">Name
      <input name="name" required pattern=${pattern} maxlength=${maxLength} autocomplete="off" spellcheck="false" autofocus
        defaultValue=${value} title="Letters, digits, dots, dashes and underscores, starting with a letter or digit" />
      <small>Names the file and the address: letters, digits, “.”, “-”, “_”.</small>
    </label>`;
}

/** @param {{ group: string, etag?: string, page: Page, onClose(): void }} props */
export function RenameGroupDialog({ group, etag, page, onClose }) {
  const [seen] = useState(etag);
  /** @param {FormData} form */
  const rename = (form) => createGroupRequests(page).rename(textIn(form, 'name'), seen);
  return html`
    <${FormDialog} title=${`Rename ${group}`} action="Rename group" onSubmit=${rename} onClose=${onClose}>
      <${NameField} page=${page} value=${group} />
      <ul class="effects">
        <li>Its tools, its description and what was approved stay.</li>
        <li>Its address changes: agents at the old one are told the new one, and get no tools until they use it.</li>
      </ul>
    <//>`;
}

/** @param {{ group: string, description: string, etag?: string, page: Page, onClose(): void }} props */
export function DescribeGroupDialog({ group, description, etag, page, onClose }) {
  const [seen] = useState(etag);
  const { maxLength } = useRule(page, 'PUT /api/groups/{name}', 'description') ?? {};
  /** @param {FormData} form */
  const describe = (form) => createGroupRequests(page).describe(textIn(form, 'description'), seen);
  return html`
    <${FormDialog} title=${`Describe ${group}`} action="Save description" onSubmit=${describe} onClose=${onClose}>
      <label class="field">Description
        <textarea name="description" rows="4" maxlength=${maxLength} autofocus>${description}</textarea>
        <small>Kept in the group's file.</small>
      </label>
    <//>`;
}

/**
 * @param {{ group: string, count: number, endpoint: string, hasDraft: boolean, page: Page, onClose(): void }} props
 */
export function DeleteGroupDialog({ group, count, endpoint, hasDraft, page, onClose }) {
  const remove = createGroupRequests(page).remove;
  return html`
    <${FormDialog} title=${`Delete ${group}?`} action="Delete group" isDanger onSubmit=${remove} onClose=${onClose}>
      <p>The file <code>${group}.json</code> is deleted. This cannot be undone.</p>
      <ul class="effects">
        <li>Agents connected to <code class="foreign">${endpoint}</code> lose their ${counted(count, 'tool')} at once and are told that the group does not exist.</li>
        <li>Servers and other groups stay as they are.</li>
        ${hasDraft && html`<li>Your unsaved changes to it are lost.</li>`}
      </ul>
    <//>`;
}
