// @ts-check
import { html } from '../lib/html.js';
import { problemsText } from './server-status.js';

/** What of its definitions agents get otherwise than it lists them, or not at all. @param {{ record: Pick<import('./server-status.js').ServerRecord, 'problems'> }} props */
export function DefinitionProblems({ record }) {
  const { problems = [] } = record;
  if (problems.length === 0) return null;
  return html`
    <section class="banner problems" aria-label="Problems in its definitions">
      <strong>${problemsText(record)}</strong>
      <ul>${problems.map((text, at) => html`<li key=${at} class="foreign" dir="auto">${text}</li>`)}</ul>
      <small>Whatever is not named here agents get as the server lists it.</small>
    </section>`;
}
