// @ts-check
// The data of a server in a container, shown before the server is deleted, since deletion is final.
import { html } from '../lib/html.js';
import { counted } from '../server-state/server-status.js';

/** @param {{ data: import('../server-state/server-status.js').ServerDetails['data'] }} props `data`: absent while the engine does not answer. */
export function WhatGoes({ data }) {
  if (!data) return html`<p>Whatever it keeps in volumes and files of its container is lost.</p>`;
  const { volumes, mounts, layer } = data;
  if (volumes.length + mounts.length === 0 && !layer) return html`<p>It keeps no data.</p>`;
  return html`
    <ul class="affected">
      ${volumes.map(({ path, volume }) => html`<${Part} key=${volume} name=${path} is="is lost, with volume" what=${volume} />`)}
      ${
        layer &&
        html`<li>
          <details>
            <summary><strong>${counted(layer.count, 'file')}</strong> in its container ${layer.count === 1 ? 'is' : 'are'} lost</summary>
            <p class="foreign" dir="auto">${layer.paths.join(', ')}${layer.count > layer.paths.length ? ', …' : ''}</p>
          </details>
        </li>`
      }
      ${mounts.map(
        ({ type, source, path }) =>
          html`<${Part} key=${path} name=${path} is=${`stays: ${type === 'bind' ? 'folder' : 'volume'}`} what=${source} />`,
      )}
    </ul>`;
}

/** @param {{ name: string, is: string, what: string }} props */
function Part({ name, is, what }) {
  return html`<li><strong class="foreign" dir="auto">${name}</strong> ${is} <span class="foreign" dir="auto">${what}</span></li>`;
}
