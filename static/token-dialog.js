// @ts-check
import { html, useState, valueTo } from './lib/html.js';
import { CopyButton, Dialog } from './lib/ui.js';

const shows = 'grep ADMIN_TOKEN .env';

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
        <p>
          This gateway asks for its admin token: the value of <code>ADMIN_TOKEN</code>, in the environment of the service
          or in the <code>.env</code> of the folder it lives in. In that folder this shows it:
        </p>
        <div class="row"><code>${shows}</code><${CopyButton} text=${shows} label="the command" /></div>
        <p class="soft">Remembered for this tab until it is closed.</p>
        <label class="field">Token
          <input type="password" autocomplete="off" required autofocus value=${token} onInput=${valueTo(setToken)} />
        </label>
        ${isRefused && html`<p class="banner bad" role="alert">That is not this gateway's admin token.</p>`}
        <div class="dialog-actions"><button type="submit" class="primary">Continue</button></div>
      </form>
    <//>`;
}
