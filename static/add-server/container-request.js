// @ts-check
// The container options of the form as the fields of `POST /api/servers/provision`. Pure.
import { ruleAt } from '../lib/api-rules.js';
import { splitWords } from '../progress/command-line.js';
import { inUnit, readNumber } from './body-check.js';

/** @typedef {import('./form-fields.js').ContainerFields} ContainerFields */
/** @typedef {import('./form-fields.js').Problems} Problems */
/** @typedef {import('./form-fields.js').ProvisionBody} ProvisionBody */
/** @typedef {import('../lib/api-rules.js').Rule} Rule */

/** The form has seconds where the body has milliseconds. */
const msPerSecond = 1_000;

/** Each numeric field with its place in the body. */
const numbers = {
  memory: { path: 'limits.memory_mb', unit: 1 },
  cpus: { path: 'limits.cpus', unit: 1 },
  shm: { path: 'shm_mb', unit: 1 },
  startSeconds: { path: 'timeouts.start_ms', unit: msPerSecond },
};

/** @param {Rule | undefined} rule Of the body. @param {keyof typeof numbers} field */
export const numberRule = (rule, field) => inUnit(ruleAt(rule, numbers[field].path), numbers[field].unit);

/**
 * @param {ContainerFields} fields @param {Rule | undefined} rule Of the body. @param {Problems} problems Gets those found.
 */
export function containerRequest(fields, rule, problems) {
  const number = (/** @type {keyof typeof numbers} */ field) => {
    const { value, problem } = readNumber(fields[field], numberRule(rule, field));
    if (problem) problems[field] = problem;
    return value;
  };
  const volumes = volumesOf(fields.volumes, problems);
  const entrypoint = wordsOf(fields.entrypoint, problems);
  const [memory, cpus, shm, start] = [
    number('memory'),
    number('cpus'),
    number('shm'),
    number('startSeconds'),
  ];
  return {
    ...(volumes.length > 0 && { volumes }),
    ...(entrypoint.length > 0 && { entrypoint }),
    ...((memory ?? cpus) !== undefined && {
      limits: { ...(memory !== undefined && { memory_mb: memory }), ...(cpus !== undefined && { cpus }) },
    }),
    ...(shm !== undefined && { shm_mb: shm }),
    ...(start !== undefined && { timeouts: { start_ms: start * msPerSecond } }),
    ...(fields.pull && { pull: /** @type {ProvisionBody['pull']} */ (fields.pull) }),
  };
}

/** @param {number} at From 0. */
export const volumeSentence = (at) =>
  `Line ${at + 1}: expected a path such as /data, or source:/path, or source:/path:ro.`;

/** As `docker run -v` has them. @param {string} text @param {Problems} problems */
function volumesOf(text, problems) {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.map((line, at) => {
    const parts = line.split(':');
    const [source, path = '', mode] = parts.length === 1 ? [undefined, line] : parts;
    if (source === '' || (mode ?? 'ro') !== 'ro' || parts.length > 3) problems.volumes = volumeSentence(at);
    return { path, ...(source && { source }), ...(mode && { read_only: true }) };
  });
}

/** @param {string} line @param {Problems} problems */
function wordsOf(line, problems) {
  try {
    return splitWords(line);
  } catch (error) {
    problems.entrypoint = /** @type {Error} */ (error).message;
    return [];
  }
}
