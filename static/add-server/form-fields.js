// @ts-check
// What the forms hold: all of it text, as typed.

/**
 * @typedef {{ id: number, name: string, value: string }} Row A variable or header.
 * @typedef {BaseFields & ContainerFields} Fields
 * @typedef {object} BaseFields
 * @property {string} name
 * @property {string} image
 * @property {string} command
 * @property {string} url
 * @property {string} description
 * @property {string} transport
 * @property {string} port
 * @property {string} path
 * @property {Row[]} variables
 * @property {Row[]} headers
 * @typedef {object} ContainerFields
 * @property {string} volumes One a line: `/path`, or `source:/path`, or `source:/path:ro`.
 * @property {string} entrypoint
 * @property {string} memory In MB.
 * @property {string} cpus
 * @property {string} shm In MB.
 * @property {string} startSeconds
 * @property {string} pull
 */

/** @typedef {{ [Field in keyof Fields]?: string }} Problems What is wrong, by field; empty when all is well. */
/** @typedef {import('../lib/api.js').BodyOf<'POST /api/servers/provision'>} ProvisionBody */
/** @typedef {import('../lib/api.js').BodyOf<'POST /api/servers'>} ConfigBody */

/**
 * @typedef {object} FormProps
 * @property {Fields} fields
 * @property {Problems} problems
 * @property {import('../lib/api-rules.js').Rule} [rule] Of the body; absent while it is not known.
 * @property {(patch: Partial<Fields>) => void} set
 */

/** @returns {Fields} */
export function emptyFields() {
  return {
    ...{ name: '', image: '', command: '', url: '', description: '' },
    ...{ transport: '', port: '', path: '', variables: [], headers: [] },
    ...{ volumes: '', entrypoint: '', memory: '', cpus: '', shm: '', startSeconds: '', pull: '' },
  };
}
