// @ts-check
// The result of a call. All of it comes from the server: text stays text, and only pictures are decoded.
import { html, useLayoutEffect, useRef } from '../lib/html.js';
import { Badge, CopyButton } from '../lib/ui.js';

const mostShown = 200_000;
const pictures = /^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/;

/**
 * @typedef {{ milliseconds?: number, result?: any, problem?: string, needsToken?: boolean, warnings?: readonly string[] }} Outcome
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
  const content = Array.isArray(result?.content) ? result.content : [];
  const json = JSON.stringify(result, null, 2) ?? '';
  return html`
    <div class="stack">
      <div class="row">
        <h3>Result</h3>
        ${result?.isError ? html`<${Badge} kind="bad" text="Error from the tool" />` : html`<${Badge} kind="good" text="OK" />`}
        <span class="soft">${timeText(milliseconds ?? 0)}</span>
        <span class="push"><${CopyButton} text=${json} label="the answer as JSON" /></span>
      </div>
      ${warnings.map((text) => html`<p key=${text} class="banner foreign" dir="auto">${text}</p>`)}
      ${content.length === 0 && html`<p class="soft">It answered without content.</p>`}
      ${content.map((/** @type {any} */ part, /** @type {number} */ at) => html`<${Part} key=${at} part=${part} at=${at + 1} />`)}
      <details class="more"><summary>Whole answer as JSON</summary><${Text} text=${json} label="Whole answer" /></details>
    </div>`;
}

/** @param {{ part: any, at: number }} props */
function Part({ part, at }) {
  const isPicture = part?.type === 'image' && pictures.test(part.mimeType) && typeof part.data === 'string';
  if (isPicture)
    return html`<img class="picture" src=${`data:${part.mimeType};base64,${part.data}`} alt=${`Picture in the result (${part.mimeType})`} />`;
  if (part?.type === 'text') return html`<${Text} text=${String(part.text)} label=${`Text ${at}`} />`;
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
