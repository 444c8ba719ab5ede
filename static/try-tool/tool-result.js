// @ts-check
// The result of a call. All of it comes from the server: text stays text, and only pictures are decoded.
import { html, useLayoutEffect, useRef } from '../lib/html.js';
import { Badge, CopyButton } from '../lib/ui.js';
import { membersOf } from './members-of.js';

const mostShown = 200_000;
const pictures = /^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/;

/**
 * @typedef {{ milliseconds?: number, result?: unknown, problem?: string, needsToken?: boolean, warnings?: readonly string[] }} Outcome
 */

/** @param {{ outcome: Outcome | undefined }} props */
export function ToolResult({ outcome }) {
  const part = useRef(/** @type {HTMLElement | null} */ (null));
  // A result below a long form would go unseen.
  useLayoutEffect(() => {
    if (outcome) part.current?.scrollIntoView({ block: 'nearest' });
  }, [outcome]);
  return html`
    <div role="status" aria-label="Result" class="result" ref=${part}>${outcome && html`<${Answer} ...${outcome} />`}</div>`;
}

/** @param {Outcome} outcome */
function Answer({ result, problem, milliseconds, warnings = [] }) {
  if (problem) return html`<p class="banner bad foreign" dir="auto">${problem}</p>`;
  const { content: parts, isError } = membersOf(result);
  /** @type {unknown[]} */
  const content = Array.isArray(parts) ? parts : [];
  const json = JSON.stringify(result, null, 2) ?? '';
  return html`
    <div class="stack">
      <div class="row">
        <h3>Result</h3>
        ${isError ? html`<${Badge} kind="bad" text="Error from the tool" />` : html`<${Badge} kind="good" text="OK" />`}
        <span class="soft">${timeText(milliseconds ?? 0)}</span>
        <span class="push"><${CopyButton} text=${json} label="the answer as JSON" /></span>
      </div>
      ${warnings.map((text) => html`<p key=${text} class="banner foreign" dir="auto">${text}</p>`)}
      ${content.length === 0 && html`<p class="soft">It answered without content.</p>`}
      ${content.map((part, at) => html`<${Part} key=${at} part=${part} at=${at + 1} />`)}
      <details class="more"><summary>Whole answer as JSON</summary><${Text} text=${json} label="Whole answer" /></details>
    </div>`;
}

/** @param {{ part: unknown, at: number }} props */
function Part({ part, at }) {
  const { type, text, mimeType, data } = membersOf(part);
  if (type === 'image' && pictures.test(String(mimeType)) && typeof data === 'string')
    return html`<img class="picture" src=${`data:${mimeType};base64,${data}`} alt=${`Picture in the result (${mimeType})`} />`;
  if (type === 'text') return html`<${Text} text=${String(text)} label=${`Text ${at}`} />`;
  return html`<${Text} text=${JSON.stringify(part, null, 2) ?? ''} label=${`Part ${at}`} />`;
}

/** @param {{ text: string, label: string }} props */
function Text({ text, label }) {
  const rest = text.length - mostShown;
  return html`
    <pre class="foreign" dir="auto" tabindex="0" role="group" aria-label=${label}>${text.slice(0, mostShown)}</pre>
    ${rest > 0 && html`<small>${rest.toLocaleString('en')} characters more; copy the answer to see them.</small>`}`;
}

/** @param {number} milliseconds */
function timeText(milliseconds) {
  return milliseconds < 1000
    ? `${Math.max(1, Math.round(milliseconds))} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}
