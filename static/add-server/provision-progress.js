// @ts-check
// What is known of a provision while it goes on, made from the events of `POST /api/servers/provision`. Nothing is
// guessed: a step is under way when the service says so, and the percentage is the one it measured.
import { riskIn } from '../servers/risk.js';
import { replacementIn } from './replacement.js';

/**
 * @typedef {'pull' | 'start' | 'ready' | 'register'} StepName
 * @typedef {'waiting' | 'running' | 'done' | 'failed'} StepState
 * @typedef {object} Failure
 * @property {string} reason
 * @property {string} [code]
 * @property {number} [exitCode]
 * @property {string[]} log
 * @property {string[]} missing
 * @property {boolean} [isUndone] Absent when nothing had begun.
 * @property {import('./replacement.js').Replacement} [replaces] The name is taken.
 * @property {import('../servers/risk.js').Risk} [risk] Files would be lost.
 * @typedef {object} Progress
 * @property {Record<StepName, StepState>} steps
 * @property {number} [percent] Of the pull.
 * @property {{ done: number, total: number }} [layers]
 * @property {'running' | 'done' | 'failed'} outcome
 * @property {Failure} [failure]
 * @property {{ name: string, tools: string[] }} [result]
 */

/** @type {readonly StepName[]} */
export const stepNames = ['pull', 'start', 'ready', 'register'];

/** @returns {Progress} */
export function newProgress() {
  return {
    steps: { pull: 'running', start: 'waiting', ready: 'waiting', register: 'waiting' },
    outcome: 'running',
  };
}

/**
 * @param {Progress} progress
 * @param {string} type `step`, `done`, `failed`; others change nothing.
 * @param {any} data
 * @returns {Progress}
 */
export function advance(progress, type, data) {
  if (type === 'step' && stepNames.includes(data.step)) {
    const { step, percent = progress.percent, layers = progress.layers } = data;
    return { ...progress, steps: stepsAt(step, 'running'), percent, layers };
  }
  if (type === 'done') {
    const result = { name: data.name, tools: data.tools ?? [] };
    return { ...progress, steps: stepsAt(undefined, 'done'), outcome: 'done', result };
  }
  if (type === 'failed')
    return fail(progress, { message: data.error, code: data.code, details: data.details });
  return progress;
}

/**
 * @param {Progress} progress
 * @param {{ message: string, code?: string, details?: any }} error
 * @returns {Progress}
 */
export function fail(progress, { message, code, details = {} }) {
  const step = stepNames.includes(details?.step) ? details.step : currentStep(progress);
  const replaces = replacementIn({ code, details });
  const risk = riskIn({ code, details });
  const failure = {
    reason: message,
    code,
    exitCode: details?.exit_code,
    log: details?.log_tail ?? [],
    missing: details?.missing_variables ?? [],
    isUndone: details?.undone,
    ...(replaces && { replaces }),
    ...(risk && { risk }),
  };
  return { ...progress, steps: stepsAt(step, 'failed'), outcome: 'failed', failure };
}

/** @param {Progress} progress */
function currentStep({ steps }) {
  return stepNames.find((step) => steps[step] === 'running') ?? 'pull';
}

/** Steps before this one are done, steps after it wait. @param {StepName | undefined} current @param {StepState} state */
function stepsAt(current, state) {
  const at = current === undefined ? stepNames.length : stepNames.indexOf(current);
  const states = stepNames.map((step, index) => [
    step,
    index < at ? 'done' : index === at ? state : 'waiting',
  ]);
  return /** @type {Record<StepName, StepState>} */ (Object.fromEntries(states));
}
