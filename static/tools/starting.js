// @ts-check
// The page until its first answers arrive.
import { html } from '../lib/html.js';
import { Spinner } from '../lib/ui.js';

export function Starting() {
  return html`
    <section class="card first-step" aria-busy="true">
      <h2>Tools</h2>
      <p class="row soft"><${Spinner} label="Loading" /> Waiting for what the manager knows</p>
    </section>`;
}
