// @ts-check
// Converts the form's fields to the request, one pure function for each kind of server. The service checks everything
// again; a problem found here is shown at its field.
import { splitWords } from '../progress/command-line.js';
import { containerRequest, emptyContainerFields } from './container-request.js';

/**
 * @typedef {{ id: number, name: string, value: string }} Row A variable or header.
 * @typedef {BaseFields & import('./container-request.js').ContainerFields} Fields
 * @typedef {object} BaseFields What the form holds; all of it text, as typed.
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
 */

/** @typedef {{ fields: Fields, problems: Record<string, string>, set(patch: Partial<Fields>): void }} FormProps */

/** @typedef {{ problems: Record<string, string>, body: any }} Checked `problems`: by field; empty when all is well. */

const serverName = /^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$/;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const longestName = 30;

/** @returns {Fields} */
export function emptyFields() {
  return {
    ...{ name: '', image: '', command: '', url: '', description: '' },
    ...{ transport: '', port: '', path: '', variables: [], headers: [] },
    ...emptyContainerFields(),
  };
}

/** The body of `POST /api/servers/provision`. @param {Fields} fields @returns {Checked} */
export function imageRequest(fields) {
  const { problems, common, words } = checkCommon(fields);
  if (!fields.image.trim()) problems.image = 'An image is needed, such as mcp/time:1.';
  else if (/\s/.test(fields.image.trim()))
    problems.image = 'An image has no blanks in it; arguments go below.';
  const isHttp = fields.transport !== 'stdio' && (fields.port !== '' || fields.path !== '');
  if (isHttp) checkAddress(fields, problems);
  const body = {
    ...common,
    image: fields.image.trim(),
    ...(words.length > 0 && { command: words }),
    ...rows('env_vars', fields.variables),
    ...(fields.transport && { transport: fields.transport }),
    ...(isHttp && fields.port && { port: Number(fields.port) }),
    ...(isHttp && fields.path && { path: fields.path }),
    ...containerRequest(fields, problems),
  };
  return { problems, body };
}

/** The config that `POST /api/servers` takes for a server at an address. @param {Fields} fields @returns {Checked} */
export function urlRequest(fields) {
  const { problems, common } = checkCommon({ ...fields, command: '', variables: [] });
  const url = fields.url.trim();
  if (!/^https?:\/\/[^\s/]/i.test(url))
    problems.url = 'An address that starts with http:// or https:// is needed.';
  checkRows(fields.headers, headerName, 'headers', problems);
  const transport = fields.transport === 'sse' ? 'sse' : 'streamable_http';
  return { problems, body: { ...common, transport, url, ...rows('headers', fields.headers) } };
}

/** The config that `POST /api/servers` takes for a program on this host. @param {Fields} fields @returns {Checked} */
export function commandRequest(fields) {
  const { problems, common, words } = checkCommon(fields);
  const [command = '', ...args] = words;
  if (!command && !problems.command) problems.command = 'A command is needed, such as npx -y some-server.';
  return {
    problems,
    body: { ...common, transport: 'stdio', command, args, ...rows('env', fields.variables) },
  };
}

/** The same config for a file, with its values left to be filled in. @param {any} config */
export function fileOf(config) {
  const masked = (/** @type {Record<string, string> | undefined} */ map) =>
    map && Object.fromEntries(Object.keys(map).map((name) => [name, '…']));
  return JSON.stringify({ ...config, env: masked(config.env), headers: masked(config.headers) }, null, 2);
}

/** @param {Fields} fields */
function checkCommon(fields) {
  /** @type {Record<string, string>} */
  const problems = {};
  const name = fields.name.trim();
  if (!name) problems.name = 'A name is needed.';
  else if (name.length > longestName) problems.name = `At most ${longestName} characters.`;
  else if (!serverName.test(name)) problems.name = 'Letters and digits, with single . _ or - between them.';
  checkRows(fields.variables, variableName, 'variables', problems);
  /** @type {string[]} */
  let words = [];
  try {
    words = splitWords(fields.command);
  } catch (error) {
    problems.command = /** @type {Error} */ (error).message;
  }
  const description = fields.description.trim();
  return { problems, words, common: { name, ...(description && { description }) } };
}

/** @param {Row[]} list @param {RegExp} pattern @param {string} field @param {Record<string, string>} problems */
function checkRows(list, pattern, field, problems) {
  const names = list.map(({ name }) => name.trim());
  const used = list.filter(({ name, value }) => name.trim() || value);
  const wrong = used.find(({ name }) => !pattern.test(name.trim()));
  const twice = names.find((name, at) => name && names.indexOf(name) !== at);
  if (wrong) problems[field] = wrong.name ? `“${wrong.name}” cannot be a name here.` : 'A value has no name.';
  else if (twice) problems[field] = `“${twice}” is there twice.`;
}

/** @param {Fields} fields @param {Record<string, string>} problems */
function checkAddress({ port, path }, problems) {
  if (port && !(Number.isInteger(Number(port)) && Number(port) >= 1 && Number(port) <= 65_535)) {
    problems.port = 'A whole number from 1 to 65535.';
  }
  if (path && !/^\/[^\s?#]*$/.test(path)) problems.path = 'A path that starts with /.';
}

/** @param {string} field @param {Row[]} list */
function rows(field, list) {
  const named = list.filter(({ name }) => name.trim());
  return named.length > 0
    ? { [field]: Object.fromEntries(named.map(({ name, value }) => [name.trim(), value])) }
    : {};
}
