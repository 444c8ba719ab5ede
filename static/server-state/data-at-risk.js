// @ts-check
// Files in a container's writable layer, which the service does not discard without being asked to.
import { html } from '../lib/html.js';

/** The service's own sentence tells scripts what to send; people are asked. @param {{ risk: import('./risk.js').Risk }} props */
export function DataAtRisk({ risk: { paths, count } }) {
  const more = count - paths.length;
  return html`
    <div class="banner bad at-risk" role="alert">
      <p>Its container would give way to a new one, and ${paths.length > 0 ? 'this data would be lost:' : 'its data would be lost.'}</p>
      ${paths.length > 0 && html`<ul tabindex="0" aria-label="Data">${paths.map((path) => html`<li key=${path}><code class="foreign" dir="ltr">${path}</code></li>`)}</ul>`}
      ${more > 0 && html`<p>and ${more.toLocaleString('en')} more</p>`}
    </div>`;
}
