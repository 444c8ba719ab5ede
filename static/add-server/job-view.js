// @ts-check
// A registration under way, done or failed.
import { html, useEffect, useRef } from '../lib/html.js';
import { Spinner } from '../lib/ui.js';
import { FailureReport, LiveSteps, ToolsFound } from '../progress/live-steps.js';
import { DataAtRisk } from '../server-state/data-at-risk.js';
import { WhatIsReplaced } from './what-is-replaced.js';

/** @param {{ job: import('./use-registration.js').Job, command: string, onBack(): void, onClose(): void }} props `onBack` also calls off what runs. */
export function JobView({ job: { kind, name, progress, warnings, problems }, command, onBack, onClose }) {
  const { outcome, result } = progress;
  return html`
    <div class="stack" data-outcome=${outcome}>
      ${outcome === 'running' && html`<${Heading} text=${`Adding ${name}`} />`}
      ${kind === 'image' && html`<${LiveSteps} progress=${progress} />`}
      ${kind === 'config' && outcome === 'running' && html`<p class="row"><${Spinner} /> Connecting and listing its tools</p>`}
      ${result && html`<${ToolsFound} name=${name} tools=${result.tools} warnings=${warnings} problems=${problems} command=${command} />`}
      <div class="dialog-actions">
        <button type="button" key="back" onClick=${onBack}>${outcome === 'running' ? 'Cancel' : 'Add another'}</button>
        ${outcome === 'done' && html`<button type="button" class="primary" onClick=${onClose}>Done</button>`}
      </div>
    </div>`;
}

/**
 * Shown above the form, which still holds the typed values.
 * @param {{ job: import('./use-registration.js').Job, isAllowed: boolean }} props
 */
export function FailedJob({ job: { kind, name, progress }, isAllowed }) {
  const { failure } = progress;
  if (failure?.replaces) {
    return html`
      <div class="stack failed-job" data-outcome="taken">
        <${Heading} text=${`The name ${name} is taken`} />
        <${WhatIsReplaced} replacement=${failure.replaces} isAllowed=${isAllowed} />
      </div>`;
  }
  if (failure?.risk) {
    return html`
      <div class="stack failed-job" data-outcome="at-risk">
        <${Heading} text=${`Lose the data of ${name}?`} />
        <${DataAtRisk} risk=${failure.risk} />
      </div>`;
  }
  return html`
    <div class="stack failed-job" data-outcome="failed">
      <${Heading} text=${`${name} could not be added`} />
      ${kind === 'image' && html`<${LiveSteps} progress=${progress} />`}
      ${failure && html`<${FailureReport} failure=${failure} />`}
    </div>`;
}

/** Takes the focus, for what had it is gone. @param {{ text: string }} props */
function Heading({ text }) {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => element.current?.focus(), []);
  return html`<h3 tabindex="-1" ref=${element}>${text}</h3>`;
}
