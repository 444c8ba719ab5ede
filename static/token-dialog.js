// @ts-check
import { html, useState } from './lib/html.js';
import { Dialog } from './lib/ui.js';

/** @param {{ isRefused: boolean, onToken(token: string): void, onClose(): void }} props */
export function TokenDialog({ isRefused, onToken, onClose }) {
  const [token, setToken] = useState('');
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    onToken(token);
  };
  return html`
    <${Dialog} title="Admin token" onClose=${onClose}>
      <form class="stack" onSubmit=${submit}>
        <p>This gateway asks for its admin token. The page keeps it in memory only, until it is closed or reloaded.</p>
        <label class="field">Token
          <input type="password" autocomplete="off" required autofocus value=${token}
            onInput=${(/** @type {any} */ event) => setToken(event.target.value)} />
        </label>
        ${isRefused && html`<p class="banner bad" role="alert">That is not this gateway's admin token.</p>`}
        <div class="dialog-actions"><button type="submit" class="primary">Continue</button></div>
      </form>
    <//>`;
}
