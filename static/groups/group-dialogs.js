// @ts-check
// The dialogs of a group: new, describe, rename, delete. A refusal is shown inside, and what was typed stays.
import { html, useState } from '../lib/html.js';
import { Dialog, Spinner } from '../lib/ui.js';
import { counted } from '../server-state/server-status.js';
import { createGroupRequests, groupNamePattern } from './group-requests.js';

/**
 * A form in a dialog that closes when its action is done.
 * @param {{ title: string, action: string, isDanger?: boolean, onSubmit(values: Record<string, string>): Promise<void>,
 *   onClose(): void, children?: any }} props
 */
function FormDialog({ title, action, isDanger = false, onSubmit, onClose, children }) {
  const [{ isBusy, problem }, setState] = useState({ isBusy: false, problem: '' });
  const submit = async (/** @type {any} */ event) => {
    event.preventDefault();
    if (isBusy) return;
    const values = /** @type {any} */ (Object.fromEntries(new FormData(event.currentTarget)));
    setState({ isBusy: true, problem: '' });
    try {
      await onSubmit(values);
      onClose();
    } catch (error) {
      setState({ isBusy: false, problem: /** @type {Error} */ (error).message });
    }
  };
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <form class="stack" onSubmit=${submit}>
        ${children}
        ${problem && html`<p class="banner bad" role="alert">${problem}</p>`}
        <div class="dialog-actions">
          ${isBusy && html`<${Spinner} />`}
          <button type="button" onClick=${onClose}>Cancel</button>
          <button type="submit" class=${isDanger ? 'danger' : 'primary'} aria-disabled=${isBusy}>${action}</button>
        </div>
      </form>
    <//>`;
}

/** @typedef {import('../state/page.js').Page} Page */

/** @param {{ from: string, count: number, page: Page, onClose(): void }} props */
export function NewGroupDialog({ from, count, page, onClose }) {
  const create = (/** @type {any} */ { name, description, start }) =>
    createGroupRequests(page).create({
      name: name.trim(),
      description: description.trim(),
      isCopy: start === 'copy',
    });
  return html`
    <${FormDialog} title="New group" action="Create group" onSubmit=${create} onClose=${onClose}>
      <${NameField} />
      <label class="field">Description
        <textarea name="description" rows="2" maxlength="8000"></textarea>
        <small>For whom or for what. Optional.</small>
      </label>
      <fieldset class="choices">
        <legend>Start with</legend>
        <label><input type="radio" name="start" value="empty" defaultChecked /> <span>no tools</span></label>
        <label><input type="radio" name="start" value="copy" /> <span>a copy of <span class="foreign">${from}</span>, ${counted(count, 'tool')} as saved</span></label>
      </fieldset>
    <//>`;
}

/** @param {{ value?: string }} props */
function NameField({ value }) {
  return html`
    <label class="field">Name
      <input name="name" required pattern=${groupNamePattern} maxlength="64" autocomplete="off" spellcheck="false" autofocus
        defaultValue=${value} title="Letters, digits, dots, dashes and underscores, starting with a letter or digit" />
      <small>Names the file and the address: letters, digits, “.”, “-”, “_”.</small>
    </label>`;
}

/** @param {{ group: string, etag?: string, page: Page, onClose(): void }} props */
export function RenameGroupDialog({ group, etag, page, onClose }) {
  const [seen] = useState(etag);
  const rename = (/** @type {any} */ { name }) => createGroupRequests(page).rename(name.trim(), seen);
  return html`
    <${FormDialog} title=${`Rename ${group}`} action="Rename group" onSubmit=${rename} onClose=${onClose}>
      <${NameField} value=${group} />
      <ul class="effects">
        <li>Its tools, its description and what was approved stay.</li>
        <li>Its address changes: agents at the old one are told the new one, and get no tools until they use it.</li>
      </ul>
    <//>`;
}

/** @param {{ group: string, description: string, etag?: string, page: Page, onClose(): void }} props */
export function DescribeGroupDialog({ group, description, etag, page, onClose }) {
  const [seen] = useState(etag);
  const describe = (/** @type {any} */ values) =>
    createGroupRequests(page).describe(values.description.trim(), seen);
  return html`
    <${FormDialog} title=${`Describe ${group}`} action="Save description" onSubmit=${describe} onClose=${onClose}>
      <label class="field">Description
        <textarea name="description" rows="4" maxlength="8000" autofocus>${description}</textarea>
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
