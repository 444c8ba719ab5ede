// @ts-check
// One registration at a time. The service undoes an unfinished registration when the connection ends, so leaving cancels.
import { useAction, useEffect, useRef, useState } from '../lib/html.js';
import { advance, fail, newProgress } from '../progress/provision-progress.js';
import { caught } from '../server-state/caught.js';

/** @typedef {import('../progress/provision-progress.js').ProgressEvent} ProgressEvent */
/** @typedef {'POST /api/servers/provision' | 'POST /api/servers'} Registering */
/** @typedef {import('../lib/api.js').BodyOf<Registering>} Body */
/** @typedef {(call: Registering, body: Body) => void} Start */

/**
 * @typedef {object} Job
 * @property {'image' | 'config'} kind A config has no steps that could be watched.
 * @property {string} name
 * @property {import('../progress/provision-progress.js').Progress} progress
 * @property {readonly string[]} warnings
 * @property {readonly string[]} problems Of its definitions.
 * @property {boolean} isReplacing That was said.
 */

/**
 * @param {import('../lib/api.js').Api} api
 * @param {(name: string) => void} onAdded
 */
export function useRegistration(api, onAdded) {
  const [job, setJob] = useState(/** @type {Job | undefined} */ (undefined));
  const running = useRef(/** @type {AbortController | undefined} */ (undefined));
  const stop = useAction(() => running.current?.abort());
  useEffect(() => stop, []);

  const start = useAction(async (/** @type {Registering} */ call, /** @type {Body} */ body) => {
    const leaving = new AbortController();
    running.current = leaving;
    /** @type {Job} */
    let current = {
      kind: call === 'POST /api/servers' ? 'config' : 'image',
      name: body.name,
      progress: newProgress(),
      warnings: [],
      problems: [],
      isReplacing: 'replace' in body && body.replace === true,
    };
    /** @param {Partial<Job>} patch */
    const show = (patch) => {
      if (leaving.signal.aborted) return;
      current = { ...current, ...patch };
      setJob(current);
    };
    show({});
    try {
      await register(api, call, body, leaving.signal, (event) => {
        const [type, data] = event;
        const { warnings = current.warnings, problems = current.problems } = type === 'done' ? data : {};
        show({ progress: advance(current.progress, event), warnings, problems });
      });
      if (current.progress.outcome === 'running')
        throw new Error('The connection broke before the end was told.');
    } catch (error) {
      show({ progress: fail(current.progress, caught(error)) });
    }
    if (leaving.signal.aborted || current.progress.outcome !== 'done') return;
    onAdded(body.name);
  });

  const reset = useAction(() => {
    stop();
    setJob(undefined);
  });
  return { job, start, reset };
}

/**
 * Rejects with the ApiFailure that was answered.
 * @param {import('../lib/api.js').Api} api
 * @param {Registering} call
 * @param {Body} body
 * @param {AbortSignal} signal
 * @param {(event: ProgressEvent) => void} onEvent Of a config only `done`.
 */
export async function register(api, call, body, signal, onEvent) {
  await api.stream(call, {
    body,
    signal,
    onEvent: (...event) => onEvent(event[0] === 'message' ? ['done', event[1]] : event),
  });
}
