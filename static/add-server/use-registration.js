// @ts-check
// One registration at a time. The service undoes an unfinished registration when the connection ends, so leaving cancels.
import { useAction, useEffect, useRef, useState } from '../lib/html.js';
import { advance, fail, newProgress } from '../progress/provision-progress.js';

/**
 * @typedef {object} Job
 * @property {'image' | 'config'} kind A config has no steps that could be watched.
 * @property {string} name
 * @property {import('../progress/provision-progress.js').Progress} progress
 * @property {string[]} warnings
 * @property {string[]} problems Of its definitions.
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

  const start = useAction(async (/** @type {Job['kind']} */ kind, /** @type {any} */ body) => {
    const leaving = new AbortController();
    running.current = leaving;
    /** @type {Job} */
    let current = {
      kind,
      name: body.name,
      progress: newProgress(),
      warnings: [],
      problems: [],
      isReplacing: body.replace === true,
    };
    /** @param {Partial<Job>} patch */
    const show = (patch) => {
      if (leaving.signal.aborted) return;
      current = { ...current, ...patch };
      setJob(current);
    };
    show({});
    try {
      await register(api, kind, body, leaving.signal, (type, data) =>
        show({
          progress: advance(current.progress, type, data),
          warnings: data.warnings ?? current.warnings,
          problems: data.problems ?? current.problems,
        }),
      );
      if (current.progress.outcome === 'running')
        throw new Error('The connection broke before the end was told.');
    } catch (error) {
      show({ progress: fail(current.progress, /** @type {any} */ (error)) });
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
 * @param {Job['kind']} kind
 * @param {any} body
 * @param {AbortSignal} signal
 * @param {(type: string, data: any) => void} onEvent `step`, `done`, `failed`; of a config only `done`.
 */
export async function register(api, kind, body, signal, onEvent) {
  const path = kind === 'image' ? '/api/servers/provision' : '/api/servers';
  await api.stream(path, {
    method: 'POST',
    body,
    signal,
    onEvent: (type, data) => onEvent(type === 'message' ? 'done' : type, data),
  });
}
