// @ts-check
// Converts the form's fields to the request, one pure function for each kind of server. A problem found here, by the
// service's own rules as far as they are known, is shown at its field; the service checks everything again.
import { ruleAt } from '../lib/api-rules.js';
import { splitWords } from '../progress/command-line.js';
import { readNumber } from './body-check.js';
import { containerRequest } from './container-request.js';
import { reportBreaches } from './form-problems.js';

/** @typedef {import('../lib/api-rules.js').Rule} Rule */
/** @typedef {import('./form-fields.js').ConfigBody} ConfigBody */
/** @typedef {import('./form-fields.js').Fields} Fields */
/** @typedef {import('./form-fields.js').Problems} Problems */
/** @typedef {import('./form-fields.js').ProvisionBody} ProvisionBody */
/** @typedef {import('./form-fields.js').Row} Row */

/** @template Body @typedef {{ problems: Problems, body: Body }} Checked `problems`: by field; empty when all is well. */

/** @param {Fields} fields @param {Rule} [rule] Of its body. @returns {Checked<ProvisionBody>} */
export function imageRequest(fields, rule) {
  const { problems, common, words } = readCommon(fields);
  const image = fields.image.trim();
  if (!image) problems.image = 'An image is needed, such as mcp/time:1.';
  checkRows(fields.variables, 'variables', problems);
  const isHttp = fields.transport !== 'stdio' && (fields.port !== '' || fields.path !== '');
  const port = isHttp ? readNumber(fields.port, ruleAt(rule, 'port')) : {};
  if (port.problem) problems.port = port.problem;
  // That of an address may be `sse`.
  const { transport: typed } = fields;
  /** @type {ProvisionBody['transport']} */
  const transport = typed === 'stdio' || typed === 'streamable_http' ? typed : undefined;
  const body = {
    ...common,
    image,
    ...(words.length > 0 && { command: words }),
    ...rows('env_vars', fields.variables),
    ...(transport && { transport }),
    ...(port.value !== undefined && { port: port.value }),
    ...(isHttp && fields.path && { path: fields.path }),
    ...containerRequest(fields, rule, problems),
  };
  reportBreaches(rule, body, problems);
  return { problems, body };
}

/** The config of a server at an address. @param {Fields} fields @param {Rule} [rule] Of its body. @returns {Checked<ConfigBody>} */
export function urlRequest(fields, rule) {
  const { problems, common } = readCommon({ ...fields, command: '' });
  checkRows(fields.headers, 'headers', problems);
  /** @type {ConfigBody['transport']} */
  const transport = fields.transport === 'sse' ? 'sse' : 'streamable_http';
  const body = {
    ...common,
    transport,
    url: fields.url.trim(),
    ...rows('headers', fields.headers),
  };
  if (!body.url) problems.url = 'An address that starts with http:// or https:// is needed.';
  reportBreaches(rule, body, problems);
  return { problems, body };
}

/** The config of a program on this host. @param {Fields} fields @param {Rule} [rule] Of its body. @returns {Checked<ConfigBody>} */
export function commandRequest(fields, rule) {
  const { problems, common, words } = readCommon(fields);
  const [command = '', ...args] = words;
  if (!command && !problems.command) problems.command = 'A command is needed, such as npx -y some-server.';
  checkRows(fields.variables, 'variables', problems);
  const transport = /** @type {const} */ ('stdio');
  const body = { ...common, transport, command, args, ...rows('env', fields.variables) };
  reportBreaches(rule, body, problems);
  return { problems, body };
}

/** The same config for a file, with its values left to be filled in. @param {ConfigBody} config */
export function fileOf(config) {
  const masked = (/** @type {Readonly<Record<string, string>> | undefined} */ map) =>
    map && Object.fromEntries(Object.keys(map).map((name) => [name, '…']));
  return JSON.stringify({ ...config, env: masked(config.env), headers: masked(config.headers) }, null, 2);
}

/** @param {Fields} fields */
function readCommon(fields) {
  /** @type {Problems} */
  const problems = {};
  const name = fields.name.trim();
  if (!name) problems.name = 'A name is needed.';
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

/** What cannot be told from the object that is made of them. @param {Row[]} list @param {'variables' | 'headers'} field @param {Problems} problems */
function checkRows(list, field, problems) {
  const names = list.map(({ name }) => name.trim());
  const twice = names.find((name, at) => name && names.indexOf(name) !== at);
  if (list.some(({ name, value }) => value && !name.trim())) problems[field] = 'A value has no name.';
  else if (twice) problems[field] = `“${twice}” is there twice.`;
}

/** @template {string} Name @param {Name} field @param {Row[]} list @returns {{ [Field in Name]?: Record<string, string> }} */
function rows(field, list) {
  const named = list.filter(({ name }) => name.trim());
  const values = Object.fromEntries(named.map(({ name, value }) => [name.trim(), value]));
  return /** @type {{ [Field in Name]?: Record<string, string> }} */ (
    named.length > 0 ? { [field]: values } : {}
  );
}
