// @ts-check
// The page of a service that has nothing yet.
import { html } from '../lib/html.js';

/** @param {{ onAdd(): void }} props */
export function FirstStep({ onAdd }) {
  return html`
    <section class="card first-step" aria-labelledby="first-title">
      <h2 id="first-title">Add your first MCP server</h2>
      <p class="soft">Three steps, two minutes.</p>
      <ol>
        <li><strong>Add a server</strong> by its container image, its address, or a configuration you have already.</li>
        <li><strong>Tick the tools</strong> that agents of this group may use, and save.</li>
        <li><strong>Connect an agent</strong> with the ready configuration of your client.</li>
      </ol>
      <button type="button" class="primary" onClick=${onAdd}>Add MCP Server</button>
    </section>`;
}
