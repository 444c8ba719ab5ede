// @ts-check
// The progress of a provision or update, computed from the events that the service sends. Nothing is guessed: a step runs
// when the service says so, and the percentage is the one that the service measured.
import { riskIn } from '../server-state/risk.js';
import { replacementIn } from './replacement.js';

/** @typedef {import('../server-state/caught.js').Caught} Caught */
/** @typedef {import('../../handlers/manager/client-types.ts').EventsOf<'POST /api/servers/provision'>} ProvisionEvents */
/** @typedef {import('../../handlers/manager/client-types.ts').EventsOf<'POST /api/servers/{name}/update'>} UpdateEvents */
/** @typedef {import('../lib/api.js').AnswerOf<'POST /api/servers'>} RegisteredServer */

/** @typedef {import('../lib/api.js').AnswerOf<'POST /api/servers/provision'>} ProvisionedServer */

/** @typedef {ProvisionedServer | UpdateEvents['done'] | RegisteredServer} Done */

/**
 * @typedef {[type: 'step', data: ProvisionEvents['step']] | [type: 'done', data: Done]
 *   | [type: 'failed', data: ProvisionEvents['failed']]} ProgressEvent
 */

/**
 * @typedef {ProvisionEvents['step']['step']} StepName
 * @typedef {'waiting' | 'running' | 'done' | 'failed'} StepState
 * @typedef {import('../../lib/containers/images/provision-steps.ts').ProvisionDetails} ProvisionDetails
 * @typedef {import('../../lib/registry/registration/name-taken.ts').NameTaken} NameTaken
 * @typedef {object} Failure
 * @property {string} reason
 * @property {string} [code]
 * @property {number} [exitCode]
 * @property {readonly string[]} log
 * @property {readonly string[]} missing
 * @property {boolean} [isUndone] Absent when nothing had begun.
 * @property {import('./replacement.js').Replacement} [replaces] The name is taken.
 * @property {string} [otherName] A free one, where the name is taken.
 * @property {import('../server-state/risk.js').Risk} [risk] Files would be lost.
 * @property {{ file: string, text: string }} [elsewhere] The config file is managed elsewhere.
 * @typedef {object} Progress
 * @property {Partial<Record<StepName, StepState>>} steps In their order.
 * @property {number} [percent] Of the pull.
 * @property {ProvisionEvents['step']['layers']} [layers]
 * @property {'running' | 'done' | 'failed'} outcome
 * @property {Failure} [failure]
 * @property {{ name: string, tools: readonly string[] }} [result] Of a new server.
 */

/** @type {readonly StepName[]} */
const provisionSteps = ['pull', 'start', 'ready', 'register'];

/** @param {readonly StepName[]} [names] @returns {Progress} */
export function newProgress(names = provisionSteps) {
  return { steps: stepsAt(names, names[0], 'running'), outcome: 'running' };
}

/** @param {Progress} progress */
export const stepNames = ({ steps }) => /** @type {StepName[]} */ (Object.keys(steps));

/**
 * @param {Progress} progress
 * @param {ProgressEvent} event Steps, and events, of a newer service change nothing.
 * @returns {Progress}
 */
export function advance(progress, [type, data]) {
  const names = stepNames(progress);
  if (type === 'step' && names.includes(data.step)) {
    const { step, percent = progress.percent, layers = progress.layers } = data;
    return { ...progress, steps: stepsAt(names, step, 'running'), percent, layers };
  }
  if (type === 'done') {
    const { name, tools } = data;
    const result = isList(tools) ? { name, tools } : undefined;
    return { ...progress, steps: stepsAt(names, undefined, 'done'), outcome: 'done', result };
  }
  if (type === 'failed')
    return fail(progress, { message: data.error, code: data.code, details: data.details ?? {} });
  return progress;
}

/** An update has the differences of the tools. @param {Done['tools']} tools @returns {tools is readonly string[]} */
const isList = (tools) => Array.isArray(tools);

/**
 * @param {Progress} progress
 * @param {Caught} caught
 * @returns {Progress}
 */
export function fail(progress, caught) {
  const { message, code } = caught;
  const details = /** @type {ProvisionDetails & Partial<NameTaken & { file: string, text: string }>} */ (
    caught.details
  );
  const { file, text } = details;
  const names = stepNames(progress);
  const step = names.find((name) => name === details.step) ?? currentStep(progress);
  const replaces = replacementIn(caught);
  const risk = riskIn(caught);
  const failure = {
    reason: message,
    code,
    exitCode: details.exit_code,
    log: details.log_tail ?? [],
    missing: details.missing_variables ?? [],
    isUndone: details.undone,
    ...(replaces && { replaces }),
    ...(details.suggested_name && { otherName: details.suggested_name }),
    ...(risk && { risk }),
    ...(file && text && { elsewhere: { file, text } }),
  };
  return { ...progress, steps: stepsAt(names, step, 'failed'), outcome: 'failed', failure };
}

/** @param {Progress} progress */
function currentStep(progress) {
  return stepNames(progress).find((step) => progress.steps[step] === 'running') ?? 'pull';
}

/**
 * Steps before this one are done, steps after it wait.
 * @param {readonly StepName[]} names @param {StepName | undefined} current @param {StepState} state
 */
function stepsAt(names, current, state) {
  const at = current === undefined ? names.length : names.indexOf(current);
  const states = names.map((step, index) => [step, index < at ? 'done' : index === at ? state : 'waiting']);
  return /** @type {Progress['steps']} */ (Object.fromEntries(states));
}
