// @ts-check
// The image of a server in a container: the newer one that is available, the update to it, and the rollback. Tools are
// compared before the new image serves; a failure leaves the old one serving.

import { html, useEffect, useRef, useState } from '../lib/html.js';
import { FailureReport, LiveSteps } from '../progress/live-steps.js';
import { DataAtRisk } from '../server-state/data-at-risk.js';
import { useImageChange } from './use-image-change.js';

/** @typedef {import('./use-image-change.js').What} What */
/** @typedef {import('./use-image-change.js').Body} Body */
/** @typedef {import('../server-state/server-status.js').ServerDetails} ServerDetails */

/** @param {{ record: ServerDetails, api: import('../lib/api.js').Api, onDone(): void }} props `onDone`: its image is another one. */
export function ServerImage({ record, api, onDone }) {
  const [asked, setAsked] = useState(/** @type {What | ''} */ (''));
  const { job, start, reset } = useImageChange(api, record.name, onDone);
  const { update_available, previous_image } = record;
  const isRunning = job?.progress.outcome === 'running';
  // The record is read again only after that.
  const taken = job?.answer?.dry_run ? undefined : job?.answer?.new_digest;
  const newer = update_available?.new_digest === taken ? undefined : update_available;
  const previous = previous_image?.digest === taken ? undefined : previous_image;
  const ask = (/** @type {What | ''} */ what) => {
    reset();
    setAsked(what);
  };
  const run = (/** @type {Body} */ body) => {
    if (asked) void start(asked, body);
  };
  if (!newer && !previous && !job) return null;
  const button = (/** @type {What} */ what, /** @type {string} */ text) => html`
    <button type="button" class=${what === 'update' ? 'primary' : ''} aria-expanded=${asked === what} disabled=${isRunning}
      onClick=${() => ask(asked === what ? '' : what)}>${text}</button>`;
  return html`
    <section class="stack" aria-label="Image">
      <h3>Image</h3>
      ${
        newer
          ? html`<p>There is a newer image of <code class="foreign" dir="ltr">${newer.reference}</code>. The server keeps its own until it is updated.</p>
              <p class="soft">Now <${Digest} of=${newer.old_digest} />, newer <${Digest} of=${newer.new_digest} /></p>`
          : previous && html`<p class="soft">The image before was <${Digest} of=${previous.digest} />.</p>`
      }
      ${
        (newer || previous) &&
        html`<div class="row">${newer && button('update', 'Update…')} ${previous && button('rollback', 'Roll back…')}</div>`
      }
      ${asked && !job && html`<${Question} what=${asked} previous=${previous} onRun=${run} onBack=${() => ask('')} />`}
      ${job && html`<${JobView} job=${job} onRun=${run} onBack=${() => ask('')} />`}
    </section>`;
}

/** @param {{ what: What, previous: ServerDetails['previous_image'], onRun(body: Body): void, onBack(): void }} props */
function Question({ what, previous, onRun, onBack }) {
  const title = what === 'update' ? 'Update it?' : 'Roll it back?';
  return html`
    <${Panel} title=${title}>
      <p>
        ${what === 'update' ? 'The newer image is pulled' : html`The image before, <${Digest} of=${previous?.digest ?? ''} />,`}
        ${what === 'update' ? ' and' : ' is'} started beside the one that serves. Once it has listed its tools it takes over;
        what fails leaves the old one serving. Groups keep their tools, as missing where they are gone.
      </p>
      <div class="row">
        <button type="button" class="primary" onClick=${() => onRun({})}>${verbs[what]}</button>
        <button type="button" onClick=${() => onRun({ dry_run: true })}>Compare tools only</button>
        <button type="button" onClick=${onBack}>Cancel</button>
      </div>
    <//>`;
}

const verbs = { update: 'Update', rollback: 'Roll back' };

/**
 * @param {{ job: import('./use-image-change.js').Job, onRun(body: Body): void, onBack(): void }} props `onBack` also calls
 *   off what runs.
 */
function JobView({ job: { what, progress, answer, body }, onRun, onBack }) {
  const { outcome, failure } = progress;
  const isAtRisk = failure?.code === 'data_at_risk';
  const title = {
    running: what === 'update' ? 'Updating' : 'Rolling back',
    done: answer?.message ?? '',
    failed: isAtRisk ? 'Lose its data?' : `It could not be ${what === 'update' ? 'updated' : 'rolled back'}`,
  }[outcome];
  return html`
    <${Panel} key=${outcome} title=${title} isBad=${outcome === 'failed'}>
      ${outcome !== 'done' && !isAtRisk && html`<${LiveSteps} progress=${progress} />`}
      ${answer && html`<${Differences} answer=${answer} />`}
      ${isAtRisk ? html`<${DataAtRisk} risk=${failure.risk} />` : failure && html`<${FailureReport} failure=${failure} undone="The server is as it was." />`}
      <div class="row">
        ${isAtRisk && html`<button type="button" class="danger solid" onClick=${() => onRun({ ...body, discard_data: true })}>${verbs[what]}, and lose this data</button>`}
        ${outcome === 'failed' && !isAtRisk && html`<button type="button" class="primary" onClick=${() => onRun(body)}>Retry</button>`}
        ${answer?.dry_run && html`<button type="button" class="primary" onClick=${() => onRun({})}>${verbs[what]}</button>`}
        <button type="button" onClick=${onBack}>${backText(outcome, isAtRisk)}</button>
      </div>
    <//>`;
}

/** @param {string} outcome @param {boolean} isAtRisk */
function backText(outcome, isAtRisk) {
  if (outcome === 'running') return 'Cancel';
  if (isAtRisk) return 'Keep it';
  return outcome === 'done' ? 'Done' : 'Back';
}

/** @param {{ answer: import('./use-image-change.js').Changed }} props */
function Differences({ answer: { name, tools, warnings = [], affected_groups: groups = {} } }) {
  const prefix = `${name}__`;
  /** @type {[string, readonly string[]][]} */
  const kinds = [
    ['Added', tools.added],
    ['Removed', tools.removed],
    ['Changed', tools.changed],
  ];
  const isSame = kinds.every(([, names]) => names.length === 0);
  const affected = Object.keys(groups);
  return html`
    ${warnings.map((warning) => html`<p key=${warning} class="banner foreign" dir="auto">${warning}</p>`)}
    ${isSame && html`<p class="soft">Its tools are the same.</p>`}
    ${kinds.map(
      ([kind, names]) =>
        names.length > 0 &&
        html`<div key=${kind}>
          <h4>${kind} ${names.length}</h4>
          <ul class="chips">${names.map((tool) => html`<li key=${tool}><code class="foreign">${tool.startsWith(prefix) ? tool.slice(prefix.length) : tool}</code></li>`)}</ul>
        </div>`,
    )}
    ${affected.length > 0 && html`<p>Groups that notice: <span class="foreign" dir="auto">${affected.join(', ')}</span></p>`}`;
}

/** Takes the focus, for what had it is gone. @param {{ title: string, isBad?: boolean, children?: import('../lib/html.js').Children }} props */
function Panel({ title, isBad, children }) {
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => heading.current?.focus(), []);
  return html`
    <section class=${`confirm ${isBad ? 'bad' : ''}`} aria-label=${title}>
      <h3 tabindex="-1" ref=${heading}>${title}</h3>
      ${children}
    </section>`;
}

/** The first letters tell images apart; the whole one shows when pointed at. @param {{ of: string }} props */
function Digest({ of }) {
  return html`<code class="foreign" dir="ltr" title=${of}>${of.replace(/^sha256:/, '').slice(0, 12)}</code>`;
}
