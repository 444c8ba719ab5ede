// @ts-check
// One update or rollback at a time. Leaving cancels it until the new image serves.

import { useAction, useEffect, useRef, useState } from '../lib/html.js';
import { advance, fail, newProgress } from '../progress/provision-progress.js';

/**
 * @typedef {object} Job
 * @property {'update' | 'rollback'} what
 * @property {any} body What was asked.
 * @property {import('../progress/provision-progress.js').Progress} progress
 * @property {any} [answer] Of one that is done.
 */

/** @type {readonly import('../progress/provision-progress.js').StepName[]} */
const steps = ['pull', 'start', 'ready', 'compare', 'swap'];

/** @param {import('../lib/api.js').Api} api @param {string} name @param {() => void} onDone */
export function useImageChange(api, name, onDone) {
  const [job, setJob] = useState(/** @type {Job | undefined} */ (undefined));
  const running = useRef(/** @type {AbortController | undefined} */ (undefined));
  const stop = useAction(() => running.current?.abort());
  useEffect(() => stop, []);

  const start = useAction(async (/** @type {Job['what']} */ what, /** @type {any} */ body) => {
    stop();
    const leaving = new AbortController();
    running.current = leaving;
    const names = body.dry_run ? steps.slice(0, -1) : steps;
    /** @type {Job} */
    let current = { what, body, progress: newProgress(names) };
    /** @param {Partial<Job>} patch */
    const show = (patch) => {
      if (leaving.signal.aborted) return;
      current = { ...current, ...patch };
      setJob(current);
    };
    show({});
    try {
      await api.stream(`/api/servers/${encodeURIComponent(name)}/${what}`, {
        ...{ method: 'POST', body, signal: leaving.signal },
        onEvent: (type, data) =>
          show({
            progress: advance(current.progress, type, data),
            ...(type === 'done' ? { answer: data } : {}),
          }),
      });
      if (current.progress.outcome === 'running')
        throw new Error('The connection broke before the end was told.');
    } catch (error) {
      show({ progress: fail(current.progress, /** @type {any} */ (error)) });
    }
    if (!leaving.signal.aborted) onDone();
  });

  const reset = useAction(() => {
    stop();
    setJob(undefined);
  });
  return { job, start, reset };
}
