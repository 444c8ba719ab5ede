// @ts-check
// What breaks the service's rules, in sentences at the fields of the form. Pure.
import { breachesIn, numberSentence } from './body-check.js';
import { volumeSentence } from './container-request.js';

/** @typedef {import('./body-check.js').Breach} Breach */
/** @typedef {import('./form-fields.js').Fields} Fields */

/** The field from which each part of a body is made. @type {Readonly<Record<string, keyof Fields>>} */
const fieldOf = {
  ...{ name: 'name', image: 'image', url: 'url', description: 'description', transport: 'transport' },
  ...{ command: 'command', args: 'command', env: 'variables', env_vars: 'variables', headers: 'headers' },
  ...{
    port: 'port',
    path: 'path',
    volumes: 'volumes',
    entrypoint: 'entrypoint',
    shm_mb: 'shm',
    pull: 'pull',
  },
  ...{ 'limits.memory_mb': 'memory', 'limits.cpus': 'cpus', 'timeouts.start_ms': 'startSeconds' },
};

/** What is expected of a text with a grammar. @type {{ [Field in keyof Fields]?: string }} */
const expected = {
  name: 'Letters and digits, with single . _ or - between them.',
  image: 'An image is named like mcp/time:1, with small letters.',
  url: 'An address that starts with http:// or https:// is needed.',
  path: 'A path that starts with /.',
  volumes: 'Each path once.',
};

/**
 * @param {import('../lib/api-rules.js').Rule | undefined} rule Of the body; absent while it is not known.
 * @param {object} body
 * @param {import('./form-fields.js').Problems} problems Gets those of fields that have none yet.
 */
export function reportBreaches(rule, body, problems) {
  for (const breach of rule ? breachesIn(rule, body) : []) {
    const [first = '', second = ''] = breach.path;
    const field = fieldOf[first] ?? fieldOf[`${first}.${second}`];
    if (field) problems[field] ??= sentenceOf(field, breach, body);
  }
}

/** @param {keyof Fields} field @param {Breach} breach @param {object} body */
function sentenceOf(field, { path: [, part = ''], keyword, rule }, body) {
  if (keyword === 'propertyNames') return `“${part}” cannot be a name here.`;
  if (part && (field === 'variables' || field === 'headers'))
    return `The value of “${part}” cannot be used here.`;
  if (keyword === 'maxLength') return `At most ${rule.maxLength} characters.`;
  if (part && field === 'volumes') return volumeSentence(Number(part));
  if (rule.minimum !== undefined) return numberSentence(rule);
  if (field === 'image' && /\s/.test(String(Reflect.get(body, 'image'))))
    return 'An image has no blanks in it; arguments go below.';
  return expected[field] ?? 'This cannot be used here.';
}
