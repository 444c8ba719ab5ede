// @ts-check
// Why a change was refused: a notice, or a dialog with the text of a file that is managed elsewhere.
import { ApiFailure, messageOf } from '../lib/api.js';

/**
 * @param {Pick<import('./page.js').Page, 'store' | 'notify'>} page
 * @param {string} what What did not happen, as a sentence. @param {unknown} error
 */
export function tellRefusal({ store, notify }, what, error) {
  const elsewhere = fileIn(error);
  if (elsewhere) store.set({ elsewhere });
  else notify('bad', `${what} ${messageOf(error)}`);
}

/** @typedef {{ sentence: string, file: string, text: string }} FileElsewhere A whole file, to be put where it is managed. */

/** @param {unknown} error @returns {FileElsewhere | undefined} */
export function fileIn(error) {
  const { file, text } = (error instanceof ApiFailure && error.details) || {};
  return typeof file === 'string' && typeof text === 'string'
    ? { sentence: messageOf(error), file, text }
    : undefined;
}
