// @ts-check
// Everything the page knows, before it knows anything.
import { noDraft } from './selection.js';

/** @template {import('../lib/api.js').ManagerCall} Name @typedef {import('../lib/api.js').AnswerOf<Name>} AnswerOf */
/**
 * @typedef {'status' | 'groups' | 'servers' | 'group'} Part
 * @typedef {import('./receive-group.js').SavedGroup} SavedGroup
 * @typedef {{ id: number, kind: string, text: string }} Notice
 * @typedef {AnswerOf<'GET /api/servers'>['servers'][number]} ServerRecord
 * @typedef {object} Undo What the last Save did.
 * @property {readonly string[]} before
 * @property {string} etag
 * @property {import('./selection.js').Draft} draft
 * @property {Readonly<Record<string, string>>} approved What was approved before it, of the tools that it switched off.
 * @typedef {object} State
 * @property {AnswerOf<'GET /api/status'>} [status] Undefined until known.
 * @property {readonly ServerRecord[]} servers
 * @property {{ names: readonly string[], default: string, gatewayUrl: string }} [groups]
 * @property {string} group The one that is shown; empty until the default one is known.
 * @property {import('./sections.js').Tools} tools
 * @property {SavedGroup} [saved]
 * @property {import('./selection.js').Draft} draft
 * @property {import('./receive-group.js').Conflict} [conflict]
 * @property {ReadonlyMap<string, string>} seen Of each tool that was ticked the definition it had then.
 * @property {Undo} [undo]
 * @property {boolean} saving
 * @property {unknown} [elsewhere] Why a file that is managed elsewhere was not changed, until it is dismissed.
 * @property {Record<string, { saved?: SavedGroup, draft: import('./selection.js').Draft }>} kept
 *   Unsaved ticks of groups that are not shown.
 * @property {Notice[]} notices
 * @property {'live' | 'lost' | 'starting'} live The event stream's state.
 * @property {boolean} reachable Whether the last fetch was answered.
 * @property {boolean} isLoaded
 * @property {boolean} isAsking For the admin token.
 * @property {boolean} isRefused The one that was typed is not the right one.
 * @property {boolean} isLocked The admin token is needed and was declined.
 * @property {{ server: string }} [reveal] Whose tools to bring into sight, once.
 * @property {Record<string, number>} changes Server → how many messages named it.
 */

/** @type {State} */
export const initialState = {
  status: undefined,
  servers: [],
  groups: undefined,
  group: '',
  tools: {},
  saved: undefined,
  draft: noDraft,
  seen: new Map(),
  conflict: undefined,
  undo: undefined,
  saving: false,
  elsewhere: undefined,
  kept: {},
  notices: [],
  live: 'starting',
  reachable: true,
  isLoaded: false,
  isAsking: false,
  isRefused: false,
  isLocked: false,
  changes: {},
};
