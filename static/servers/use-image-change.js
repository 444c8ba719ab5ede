// @ts-check
// One update or rollback at a time. Leaving cancels it until the new image serves.

import { useAction, useEffect, useRef, useState } from '../lib/html.js';
import { advance, fail, newProgress } from '../progress/provision-progress.js';
import { caught } from '../server-state/caught.js';

/** @typedef {'update' | 'rollback'} What */
/** @typedef {import('../lib/api.js').BodyOf<'POST /api/servers/{name}/rollback'>} Body */
/** @typedef {import('../lib/api.js').AnswerOf<'POST /api/servers/{name}/rollback'>} Changed */

/**
 * @typedef {object} Job
 * @property {What} what
 * @property {Body} body What was asked.
 * @property {import('../progress/provision-progress.js').Progress} progress
 * @property {Changed} [answer] Of one that is done.
 */

/** @type {readonly import('../progress/provision-progress.js').StepName[]} */
const steps = ['pull', 'start', 'ready', 'compare', 'swap'];

const calls = {
  update: /** @type {const} */ ('POST /api/servers/{name}/update'),
  rollback: /** @type {const} */ ('POST /api/servers/{name}/rollback'),
};

/** @param {import('../lib/api.js').Api} api @param {string} name @param {() => void} onDone */
export function useImageChange(api, name, onDone) {
  const [job, setJob] = useState(/** @type {Job | undefined} */ (undefined));
  const running = useRef(/** @type {AbortController | undefined} */ (undefined));
  const stop = useAction(() => running.current?.abort());
  useEffect(() => stop, []);

  const start = useAction(async (/** @type {What} */ what, /** @type {Body} */ body) => {
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
      await api.stream(calls[what], {
        ...{ path: { name }, body, signal: leaving.signal },
        onEvent: (...event) => {
          if (event[0] === 'message') return;
          const answer = event[0] === 'done' ? event[1] : current.answer;
          show({ progress: advance(current.progress, event), answer });
        },
      });
      if (current.progress.outcome === 'running')
        throw new Error('The connection broke before the end was told.');
    } catch (error) {
      show({ progress: fail(current.progress, caught(error)) });
    }
    if (!leaving.signal.aborted) onDone();
  });

  const reset = useAction(() => {
    stop();
    setJob(undefined);
  });
  return { job, start, reset };
}
