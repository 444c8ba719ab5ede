// @ts-check
// The answer of `POST /api/servers/convert` as a list to choose from.

/** @typedef {import('../lib/api.js').AnswerOf<'POST /api/servers/convert'>} Conversion */
/** @typedef {Conversion['configs'][number]} Config */

/**
 * @typedef {object} Entry
 * @property {string} name
 * @property {Config} [config] Absent when the entry cannot be used.
 * @property {string} note
 * @property {boolean} isChosen
 * @property {'idle' | 'busy' | 'done' | 'failed'} state
 * @property {string} [reason]
 * @property {number} [toolCount]
 * @property {import('../progress/replacement.js').Replacement} [replaces] Its name is taken.
 * @property {boolean} [isReplacing] Chosen, having seen what it replaces.
 * @property {boolean} [isRenaming] Chosen: it is added under the free name.
 * @property {string} [addedAs] Where that was done.
 * @property {readonly string[]} [log] What it wrote last when it did not start.
 * @property {import('../server-state/risk.js').Risk} [risk] Files would be lost.
 * @property {boolean} [isDiscarding] Chosen, having seen which.
 */

/**
 * @typedef {object} Paste
 * @property {string} text Kept while a server of it is not here, to be mended.
 * @property {string} problem
 * @property {Entry[]} [entries]
 * @property {readonly import('./input-values.js').Input[]} inputs
 * @property {import('./input-values.js').Values} values What was typed for them.
 * @property {boolean} isTried
 * @property {boolean} isBusy
 */

/**
 * @typedef {object} PasteProps
 * @property {import('../lib/api.js').Api} api
 * @property {import('../lib/api-rules.js').Rules} [rules]
 * @property {boolean} isAllowed
 * @property {string} command
 * @property {Paste} paste
 * @property {(change: (before: Paste) => Paste) => void} setPaste
 * @property {() => void} onClose
 * @property {(name: string) => void} onAdded
 */

/**
 * @param {Pick<Conversion, 'configs' | 'problems' | 'warnings'>} answer
 * @param {boolean} isAllowed Whether commands may be registered from here.
 * @returns {Entry[]}
 */
export function entriesOf({ configs, problems, warnings }, isAllowed) {
  const messages = [...problems, ...warnings.map(({ name, warning }) => ({ name, problem: warning }))];
  const notes = (/** @type {string} */ name) =>
    messages
      .filter((entry) => entry.name === name)
      .map(({ problem }) => sentence(problem))
      .join(' ');
  const usable = configs.map((config) => ({
    name: config.name,
    config,
    note: notes(config.name),
    isChosen: isAllowed || !isCommand(config),
    state: /** @type {const} */ ('idle'),
  }));
  const names = new Set(usable.map(({ name }) => name));
  const unusable = problems
    .filter(({ name }) => !names.has(name))
    .map(({ name, problem }) => ({
      name,
      note: problem,
      isChosen: false,
      state: /** @type {const} */ ('idle'),
    }));
  return [...usable, ...unusable];
}

/** Remarks begin small where the command line puts a name before them. @param {string} text */
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {Config | undefined} config */
export const isCommand = (config) => config?.command !== undefined && config.image === undefined;
