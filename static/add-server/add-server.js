// @ts-check
// "Add MCP Server": an image, an address, a command of this host, or another client's file; then the progress of the
// start.
import { loadRules, rulesSoon } from '../lib/api-rules.js';
import { html, useAction, useEffect, useMemo, useRef, useState } from '../lib/html.js';
import { Dialog, Tabs } from '../lib/ui.js';
import { mayReplace } from '../progress/replacement.js';
import { focusProblem, useFirstFocus } from './fields.js';
import { emptyFields } from './form-fields.js';
import { commandRequest, imageRequest, urlRequest } from './form-requests.js';
import { FailedJob, JobView } from './job-view.js';
import { PasteServers } from './paste-servers.js';
import { CommandFields, ImageFields, UrlFields } from './server-forms.js';
import { useRegistration } from './use-registration.js';
import { TerminalLines, WhatRuns } from './what-runs.js';

/** @typedef {'image' | 'url' | 'command' | 'paste'} TabName */

const tabs = [
  { id: 'paste', label: 'Paste JSON or docker run' },
  { id: 'command', label: 'Command' },
  { id: 'url', label: 'URL' },
  { id: 'image', label: 'Container image' },
];
const forms = {
  image: {
    Fields: ImageFields,
    request: imageRequest,
    call: /** @type {const} */ ('POST /api/servers/provision'),
  },
  url: { Fields: UrlFields, request: urlRequest, call: /** @type {const} */ ('POST /api/servers') },
  command: {
    Fields: CommandFields,
    request: commandRequest,
    call: /** @type {const} */ ('POST /api/servers'),
  },
};

/** @typedef {import('../lib/api.js').AnswerOf<'GET /api/status'>} ServiceStatus */
/** @typedef {import('./form-fields.js').Fields} Fields */

/** @param {{ page: import('../state/page.js').Page, status?: ServiceStatus, onClose(): void }} props */
export function AddServer({ page, status, onClose: onLeft }) {
  const { api } = page;
  const { onAdded, onClose } = useAdding(page, onLeft);
  const [tab, setTab] = useState(/** @type {TabName} */ ('paste'));
  const [fields, setFields] = useState(emptyFields);
  const [paste, setPaste] = useState(PasteServers.initial);
  const { job, start, reset } = useRegistration(api, (name) => {
    setFields(emptyFields());
    onAdded(name);
  });
  const isBusy = job?.progress.outcome === 'running' || paste.isBusy;
  const { close, warning } = useClosing(isBusy, onClose);
  const rules = useRules(api);
  const shared = {
    api,
    rules,
    isAllowed: status?.commands_allowed === true,
    command: status?.gateway_command ?? 'svc-mcp',
    onClose,
  };
  const change = (/** @type {TabName} */ to) => {
    if (paste.isBusy) return;
    reset();
    setTab(to);
  };
  const isForm = job === undefined || job.progress.outcome === 'failed';
  return html`
    <${Dialog} title="Add MCP Server" wide onClose=${close}>
      ${warning}
      ${
        isForm
          ? html`<${Tabs} label="Kind of server" tabs=${tabs} value=${tab} onChange=${change}>
              ${job && html`<${FailedJob} job=${job} isAllowed=${shared.isAllowed} />`}
              ${
                tab === 'paste'
                  ? html`<${PasteServers} ...${shared} paste=${paste} setPaste=${setPaste} onAdded=${onAdded} />`
                  : html`<${ServerForm} key=${tab} ...${shared} tab=${tab} status=${status} job=${job}
                      fields=${fields} setFields=${setFields} start=${start} />`
              }
            <//>`
          : html`<${JobView} job=${job} command=${shared.command} onBack=${reset} onClose=${onClose} />`
      }
    <//>`;
}

/** Undefined until they are there; where they do not come the service alone judges. @param {import('../lib/api.js').Api} api */
function useRules(api) {
  const [rules, setRules] = useState(
    /** @type {import('../lib/api-rules.js').Rules | undefined} */ (undefined),
  );
  useEffect(() => {
    loadRules(api).then(setRules, () => {});
  }, [api]);
  return rules;
}

/**
 * Leaving while a registration runs would cancel it unseen, so a message refuses that. Browsers close a dialog on a second
 * Escape regardless; it is opened again then.
 * @param {boolean} isBusy
 * @param {() => void} onClose
 */
function useClosing(isBusy, onClose) {
  const [isWarned, setWarned] = useState(false);
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const close = useAction(() => {
    if (!isBusy) return onClose();
    setWarned(true);
    requestAnimationFrame(() => {
      const dialog = element.current?.closest('dialog');
      if (dialog?.open === false) dialog.showModal();
    });
  });
  const warning = html`
    <div ref=${element} role="alert" class="warning">
      ${isWarned && isBusy && html`<p class="banner">Still at work. Cancel first, or wait until it is done.</p>`}
    </div>`;
  return { close, warning };
}

/**
 * Problems show once an attempt was made, and follow what is typed from then on.
 * @param {{ api: import('../lib/api.js').Api, tab: keyof typeof forms, status?: ServiceStatus, isAllowed: boolean, command: string,
 *   rules?: import('../lib/api-rules.js').Rules, job?: import('./use-registration.js').Job, fields: Fields,
 *   setFields(change: (before: Fields) => Fields): void, start: import('./use-registration.js').Start, onClose(): void }} props
 */
function ServerForm({ api, tab, status, isAllowed, command, rules, job, fields, setFields, start, onClose }) {
  const { Fields, request, call } = forms[tab];
  const [isTried, setTried] = useState(false);
  const failure = job?.progress.failure;
  const isAgain = failure !== undefined;
  const rule = useMemo(() => rules?.bodyOf(call), [rules, call]);
  const { problems, body } = useMemo(() => request(fields, rule), [fields, tab, rule]);
  // Another name means another server, so the offer to replace this one is withdrawn.
  const isReplacing = mayReplace(failure?.replaces, isAllowed) && failure?.replaces?.server === body.name;
  const isDiscarding = failure?.risk !== undefined && job?.name === body.name;
  const said = {
    ...((isReplacing || (isDiscarding && job?.isReplacing)) && { replace: true }),
    ...(isDiscarding && { discard_data: true }),
  };
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const set = useAction((/** @type {Partial<Fields>} */ patch) =>
    setFields((before) => ({ ...before, ...patch })),
  );
  const isJudging = useRef(false);
  // Who is faster than the rules waits for them: else the focus would go to the first problem that is known without.
  const submit = useAction(async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (isJudging.current) return;
    isJudging.current = true;
    const judged = rule ? { problems, body } : request(fields, (await rulesSoon(api))?.bodyOf(call));
    isJudging.current = false;
    setTried(true);
    if (Object.keys(judged.problems).length > 0) focusProblem(form.current);
    else start(call, { ...judged.body, ...said });
  });
  useFirstFocus(form, !isAgain);
  const otherName = job?.name === body.name ? failure?.otherName : undefined;
  const addAsOther = useAction(() => {
    set({ name: otherName });
    if (otherName) start(call, { ...body, name: otherName });
  });
  const needsTerminal = tab === 'command' && !isAllowed;
  const verb = isReplacing
    ? `Replace ${body.name}`
    : isDiscarding
      ? `${job?.isReplacing ? 'Replace' : 'Add'}, and lose this data`
      : isAgain
        ? 'Retry'
        : 'Add server';
  const engine = status?.engine;
  return html`
    <form class="stack add-form" ref=${form} noValidate onSubmit=${submit}>
      ${tab === 'image' && engine?.ok === false && html`<p class="banner" role="status">${engine.reason ?? 'The container engine does not answer.'}</p>`}
      <${Fields} fields=${fields} problems=${isTried ? problems : {}} rule=${rule} set=${set} />
      <${WhatRuns} body=${body} rule=${rule} />
      ${needsTerminal && html`<${TerminalLines} config=${body} command=${command} />`}
      <div class="dialog-actions">
        <button type="button" onClick=${onClose}>Cancel</button>
        ${!needsTerminal && otherName && html`<button type="button" class="primary" onClick=${addAsOther}>Add it as ${otherName}</button>`}
        ${needsTerminal || html`<button type="submit" class=${isReplacing || isDiscarding ? 'danger solid' : 'primary'}>${verb}</button>`}
      </div>
    </form>`;
}

/**
 * When the dialog closes, the tools of the new server are shown, ready to be ticked.
 * @param {import('../state/page.js').Page} page @param {() => void} onClose
 */
function useAdding(page, onClose) {
  const added = useRef('');
  return {
    onAdded: (/** @type {string} */ name) => {
      added.current = name;
      void page.refresh('servers', 'group');
    },
    onClose: () => {
      onClose();
      if (added.current) page.store.set({ reveal: { server: added.current } });
    },
  };
}
