// @ts-check
// The container options of the form as the fields of `POST /api/servers/provision`. Pure; the service checks everything
// again.
import { splitWords } from '../progress/command-line.js';

/**
 * @typedef {object} ContainerFields All of it text, as typed.
 * @property {string} volumes One a line: `/path`, or `source:/path`, or `source:/path:ro`.
 * @property {string} entrypoint
 * @property {string} memory In MB.
 * @property {string} cpus
 * @property {string} shm In MB.
 * @property {string} startSeconds
 * @property {string} pull
 */

/** @returns {ContainerFields} */
export const emptyContainerFields = () => ({
  ...{ volumes: '', entrypoint: '', memory: '', cpus: '', shm: '', startSeconds: '', pull: '' },
});

/** @param {ContainerFields} fields @param {Record<string, string>} problems Gets what is wrong, by field. */
export function containerRequest(fields, problems) {
  const number = (
    /** @type {keyof ContainerFields} */ field,
    /** @type {number} */ least,
    /** @type {number} */ most,
  ) => {
    const text = fields[field].trim();
    if (text === '') return undefined;
    const value = Number(text);
    const isWhole = field === 'cpus' || Number.isInteger(value);
    if (isWhole && value >= least && value <= most) return value;
    problems[field] =
      `A ${field === 'cpus' ? '' : 'whole '}number from ${least} to ${most.toLocaleString('en')}.`;
    return undefined;
  };
  const volumes = volumesOf(fields.volumes, problems);
  const entrypoint = wordsOf(fields.entrypoint, problems);
  const [memory, cpus] = [number('memory', 16, 1_048_576), number('cpus', 0.01, 256)];
  const [shm, start] = [number('shm', 1, 1_048_576), number('startSeconds', 1, 600)];
  return {
    ...(volumes.length > 0 && { volumes }),
    ...(entrypoint.length > 0 && { entrypoint }),
    ...((memory ?? cpus) !== undefined && {
      limits: { ...(memory !== undefined && { memory_mb: memory }), ...(cpus !== undefined && { cpus }) },
    }),
    ...(shm !== undefined && { shm_mb: shm }),
    ...(start !== undefined && { timeouts: { start_ms: start * 1_000 } }),
    ...(fields.pull && { pull: fields.pull }),
  };
}

/** As `docker run -v` has them. @param {string} text @param {Record<string, string>} problems */
function volumesOf(text, problems) {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.map((line, at) => {
    const parts = line.split(':');
    const [source, path = '', mode] = parts.length === 1 ? [undefined, line] : parts;
    const isFine = path.startsWith('/') && source !== '' && (mode ?? 'ro') === 'ro' && parts.length <= 3;
    if (!isFine)
      problems.volumes = `Line ${at + 1}: expected a path such as /data, or source:/path, or source:/path:ro.`;
    return { path, ...(source && { source }), ...(mode && { read_only: true }) };
  });
}

/** @param {string} line @param {Record<string, string>} problems */
function wordsOf(line, problems) {
  try {
    return splitWords(line);
  } catch (error) {
    problems.entrypoint = /** @type {Error} */ (error).message;
    return [];
  }
}
