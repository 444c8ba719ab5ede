// @ts-check
// What the service refuses to lose without being told to: files in a container that somebody or the server put there.
import { html } from '../lib/html.js';

/** @typedef {{ paths: string[], count: number }} Risk */

/**
 * Undefined for any other failure.
 * @param {{ code?: string, details?: any }} failure
 * @returns {Risk | undefined}
 */
export function riskIn({ code, details }) {
  if (code !== 'data_at_risk') return undefined;
  const paths = Array.isArray(details?.paths) ? details.paths.map(String) : [];
  return { paths, count: Math.max(details?.count ?? 0, paths.length) };
}

/** The service's own sentence tells scripts what to send; people are asked. @param {{ risk: Risk }} props */
export function DataAtRisk({ risk: { paths, count } }) {
  const more = count - paths.length;
  return html`
    <div class="banner bad at-risk" role="alert">
      <p>What it keeps in its container would be lost${paths.length > 0 ? ':' : '.'}</p>
      ${paths.length > 0 && html`<ul tabindex="0" aria-label="Files">${paths.map((path) => html`<li key=${path}><code class="foreign" dir="ltr">${path}</code></li>`)}</ul>`}
      ${more > 0 && html`<p>and ${more.toLocaleString('en')} more</p>`}
    </div>`;
}
