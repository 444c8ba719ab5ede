// @ts-check
// The options of a container that few people need, under "Advanced".
import { html, useId } from '../lib/html.js';
import { Field } from './fields.js';

const volumesHint =
  'One a line. /data is kept until the server is deleted. source:/path, or source:/path:ro to read only, ' +
  'is a folder of the host or a volume of the engine, and needs administration rights.';

/** @param {import('./form-requests.js').FormProps} props */
export function ContainerFields({ fields, problems, set }) {
  const id = useId();
  const field = (
    /** @type {keyof import('./container-request.js').ContainerFields} */ name,
    /** @type {string} */ label,
    /** @type {any} */ options,
  ) => html`
    <${Field} label=${label} isCode value=${fields[name]} problem=${problems[name]} ...${options}
      onInput=${(/** @type {string} */ value) => set({ [name]: value })} />`;
  return html`
    ${field('volumes', 'Volumes', { multiline: true, rows: '2', placeholder: '/data', hint: volumesHint })}
    ${field('entrypoint', 'Entrypoint', { hint: "A program of the image, in place of the image's own.", placeholder: 'node server.js' })}
    <div class="entries">
      ${field('memory', 'Memory, MB', { placeholder: '512', inputmode: 'numeric' })}
      ${field('cpus', 'Processors', { placeholder: '1', inputmode: 'decimal' })}
      ${field('shm', 'Shared memory, MB', { placeholder: '64', inputmode: 'numeric' })}
      ${field('startSeconds', 'Time to start, s', { placeholder: '30', inputmode: 'numeric' })}
    </div>
    <div class="entry">
      <label for=${id}>Pull the image</label>
      <select id=${id} value=${fields.pull} onChange=${(/** @type {any} */ event) => set({ pull: event.target.value })}>
        <option value="">always, or use the local one when that fails</option>
        <option value="missing">only when it is not here</option>
        <option value="never">never: it is here</option>
      </select>
    </div>`;
}
