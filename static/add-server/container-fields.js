// @ts-check
// The options of a container that few people need, under "Advanced".
import { html } from '../lib/html.js';
import { numberRule } from './container-request.js';
import { Field, Select } from './fields.js';

const volumesHint =
  'One a line. /data is kept until the server is deleted. source:/path, or source:/path:ro to read only, ' +
  'is a folder of the host or a volume of the engine, and needs administration rights.';

/** @type {Record<NonNullable<import('./form-fields.js').ProvisionBody['pull']>, string>} */
const pullWords = {
  always: 'always, or use the local one when that fails',
  missing: 'only when it is not here',
  never: 'never: it is here',
};

/** @param {import('./form-fields.js').FormProps} props */
export function ContainerFields({ fields, problems, rule, set }) {
  const field = (
    /** @type {keyof import('./form-fields.js').ContainerFields} */ name,
    /** @type {string} */ label,
    /** @type {Partial<import('./fields.js').FieldProps>} */ options,
  ) => html`
    <${Field} label=${label} isCode value=${fields[name]} problem=${problems[name]} ...${options}
      onInput=${(/** @type {string} */ value) => set({ [name]: value })} />`;
  const number = (
    /** @type {Parameters<typeof numberRule>[1]} */ name,
    /** @type {string} */ label,
    inputmode = 'numeric',
  ) => field(name, label, { placeholder: String(numberRule(rule, name)?.default ?? ''), inputmode });
  return html`
    ${field('volumes', 'Volumes', { multiline: true, rows: '2', placeholder: '/data', hint: volumesHint })}
    ${field('entrypoint', 'Entrypoint', { hint: "A program of the image, in place of the image's own.", placeholder: 'node server.js' })}
    <div class="entries">
      ${number('memory', 'Memory, MB')}
      ${number('cpus', 'Processors', 'decimal')}
      ${number('shm', 'Shared memory, MB')}
      ${number('startSeconds', 'Time to start, s')}
    </div>
    <${Select} label="Pull the image" value=${fields.pull} rule=${rule?.properties?.pull} words=${pullWords}
      onChange=${(/** @type {string} */ pull) => set({ pull })} />`;
}
