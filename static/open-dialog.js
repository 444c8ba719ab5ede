// @ts-check
// The one dialog that is open, if any.
import { AddServerDialog } from './add-server/add-server-dialog.js';
import { html, useAction } from './lib/html.js';
import { lazyDialog } from './lib/lazy.js';
import { ServerDrawer } from './servers/server-drawer.js';
import { TryToolDialog } from './try-tool/try-tool-dialog.js';

const groupDialogs = () => import('./groups/group-dialogs.js');
const NewGroupDialog = lazyDialog(async () => (await groupDialogs()).NewGroupDialog);
const DescribeGroupDialog = lazyDialog(async () => (await groupDialogs()).DescribeGroupDialog);
const RenameGroupDialog = lazyDialog(async () => (await groupDialogs()).RenameGroupDialog);
const DeleteGroupDialog = lazyDialog(async () => (await groupDialogs()).DeleteGroupDialog);
const ReviewChange = lazyDialog(async () => (await import('./review-change/review-change.js')).ReviewChange);

/**
 * @typedef {'add' | 'new-group' | 'describe' | 'rename' | 'delete'} PlainKind
 * @typedef {{ kind: PlainKind } | { kind: 'server', name: string }
 *   | { kind: 'try' | 'change', tool: import('./state/sections.js').Tool }} Open
 */

/**
 * @param {{ open: Open, state: import('./state/page-state.js').State, endpoint: string, page: import('./state/page.js').Page,
 *   onClose(): void }} props
 */
export function OpenDialog({ open, state, endpoint, page, onClose }) {
  const { group, saved, draft } = state;
  /** @param {{ kind: string, text: string }} notice */
  const notice = ({ kind, text }) => page.notify(kind, text);
  const onNotice = useAction(notice);
  const count = saved?.tools.length ?? 0;
  if (open.kind === 'add') {
    return html`<${AddServerDialog} page=${page} status=${state.status} onClose=${onClose} />`;
  }
  if (open.kind === 'server') {
    return html`<${ServerDrawer} name=${open.name} api=${page.api} changes=${state.changes[open.name] ?? 0}
      onClose=${onClose} onNotice=${onNotice} />`;
  }
  if (open.kind === 'try') {
    return html`<${TryToolDialog} tool=${currentTool(state, open.tool)} group=${group} groupEndpoint=${endpoint} api=${page.api}
      status=${state.status} onClose=${onClose} />`;
  }
  if (open.kind === 'change') {
    return html`<${ReviewChange} tool=${currentTool(state, open.tool)} group=${group} page=${page} onClose=${onClose} />`;
  }
  if (open.kind === 'new-group') {
    return html`<${NewGroupDialog} from=${group} count=${count} page=${page} onClose=${onClose} />`;
  }
  if (open.kind === 'describe') {
    return html`<${DescribeGroupDialog} group=${group} description=${saved?.description ?? ''} etag=${saved?.etag}
      page=${page} onClose=${onClose} />`;
  }
  if (open.kind === 'rename') {
    return html`<${RenameGroupDialog} group=${group} etag=${saved?.etag} page=${page} onClose=${onClose} />`;
  }
  return html`<${DeleteGroupDialog} group=${group} count=${count} endpoint=${endpoint} hasDraft=${draft.size > 0}
    page=${page} onClose=${onClose} />`;
}

/**
 * Uses the group as it is saved now, not as it was when the dialog opened: agents have the saved one.
 * @param {import('./state/page-state.js').State} state @param {{ name: string }} tool
 * @returns {import('./state/sections.js').ToolNow}
 */
function currentTool({ tools, saved }, { name }) {
  const tool = Object.values(tools)
    .flat()
    .find((one) => one.name === name);
  return { ...tool, name, enabled: saved?.tools.includes(name) ?? false };
}
