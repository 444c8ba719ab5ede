// @ts-check
// Building blocks that every part of the page uses: dialogs, badges, copy buttons.
import { html, useAction, useId, useLayoutEffect, useRef, useState } from './html.js';

/** @typedef {import('./html.js').Children} Children */
/** @typedef {{ title: Children, onClose(): void, children?: Children, wide?: boolean, kind?: string }} DialogProps */

/**
 * A modal dialog, open for as long as it is drawn. Escape and the cross ask to be closed; where the focus was, it
 * returns to, or to the page's main part when that is gone.
 * @param {DialogProps} props
 */
export function Dialog({ title, onClose, children, wide, kind = wide ? 'dialog wide' : 'dialog' }) {
  const [id, element] = [useId(), useRef(/** @type {HTMLDialogElement | null} */ (null))];
  useModal(element);
  const close = (/** @type {Event} */ event) => {
    if (event.target !== element.current || !element.current?.isConnected) return;
    event.preventDefault();
    onClose();
  };
  return html`
    <dialog class=${kind} ref=${element} aria-labelledby=${id} onCancel=${close} onClose=${close}
      onMouseDown=${kind === 'drawer' ? close : undefined}>
      <div class="dialog-box">
        <div class="dialog-head">
          <h2 id=${id} dir="auto">${title}</h2>
          <button type="button" class="icon" aria-label="Close" onClick=${onClose}>✕</button>
        </div>
        <div class="dialog-body">${children}</div>
      </div>
    </dialog>`;
}

/** A dialog at the side; a click beside it closes it, too. @param {DialogProps} props */
export function Drawer(props) {
  return html`<${Dialog} ...${props} kind="drawer" />`;
}

/** @param {{ current: HTMLDialogElement | null }} element */
function useModal(element) {
  useLayoutEffect(() => {
    const opener = /** @type {HTMLElement | null} */ (document.activeElement);
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      const isThere = opener?.isConnected && opener !== document.body;
      (isThere ? opener : document.querySelector('main'))?.focus({ preventScroll: !isThere });
    };
  }, []);
}

/** @param {{ kind?: string, text: string, title?: string }} props `kind`: good, info, warn, bad or quiet. */
export function Badge({ kind = 'quiet', text, title }) {
  return html`<span class=${`badge ${kind}`} title=${title}>${text}</span>`;
}

/** @param {{ text: string, label?: string, word?: string }} props `label`: what is copied, for those who do not see where. */
export function CopyButton({ text, label = 'text', word = 'Copy' }) {
  const [state, setState] = useState('');
  const copy = useAction(async (/** @type {Event} */ event) => {
    const isCopied = await copyText(text, /** @type {HTMLElement} */ (event.currentTarget));
    setState(isCopied ? 'Copied' : 'Select and copy by hand');
    setTimeout(() => setState(''), 2000);
  });
  return html`
    <button type="button" class="small copy" onClick=${copy}>${state || word}<span class="unseen"> ${label}</span></button>
    <span class="unseen" role="status">${state}</span>`;
}

/** @param {string} text @param {HTMLElement} near @returns {Promise<boolean>} */
async function copyText(text, near) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return import('./copy-by-selection.js').then(
      ({ copyBySelection }) => copyBySelection(text, near),
      () => false,
    );
  }
}

/** @param {{ label?: string }} props */
export function Spinner({ label = 'Working' }) {
  return html`<span class="spinner" role="img" aria-label=${label}></span>`;
}

/**
 * Tabs over one panel; arrow keys move between them.
 * @param {{ label: string, tabs: readonly { id: string, label: string }[], value: string,
 *   onChange(id: string): void, children?: Children }} props
 */
export function Tabs({ label, tabs, value, onChange, children }) {
  const [prefix, list] = [useId(), useRef(/** @type {HTMLElement | null} */ (null))];
  const move = (/** @type {KeyboardEvent} */ event) => {
    const at = tabs.findIndex((tab) => tab.id === value);
    const steps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const to = steps[/** @type {keyof typeof steps} */ (event.key)];
    const tab = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (tab === undefined) return;
    event.preventDefault();
    onChange(tab.id);
    /** @type {HTMLElement | null | undefined} */ (list.current?.children[tabs.indexOf(tab)])?.focus();
  };
  return html`
    <div role="tablist" aria-label=${label} ref=${list} onKeyDown=${move}>
      ${tabs.map(
        (tab) => html`
          <button type="button" role="tab" key=${tab.id} id=${`${prefix}-${tab.id}`} aria-selected=${tab.id === value}
            aria-controls=${`${prefix}-panel`} tabindex=${tab.id === value ? 0 : -1}
            onClick=${() => onChange(tab.id)}>${tab.label}</button>`,
      )}
    </div>
    <div role="tabpanel" class="stack" id=${`${prefix}-panel`} aria-labelledby=${`${prefix}-${value}`}>${children}</div>`;
}
