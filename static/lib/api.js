// @ts-check
// The client of the manager API. Answers resolve with their body; every failure is an ApiFailure with the service's own
// sentence. The caller stores the admin token.
import { readEventStream } from './event-stream.js';

/** @param {string | undefined} etag @returns {{ 'If-Match': string } | undefined} */
export const ifMatch = (etag) => (etag ? { 'If-Match': etag } : undefined);

export class ApiFailure extends Error {
  /** @param {{ code: string, message: string, status?: number, details?: Record<string, unknown> }} facts */
  constructor({ code, message, status = 0, details }) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/** @param {unknown} error Whatever was thrown. */
export const codeOf = (error) => (error instanceof ApiFailure ? error.code : undefined);
/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : '');

/** @typedef {import('../../handlers/manager/client-types.ts').ManagerCall} ManagerCall */
/** @template {ManagerCall} Name @typedef {import('../../handlers/manager/client-types.ts').AnswerOf<Name>} AnswerOf */
/** @template {ManagerCall} Name @typedef {import('../../handlers/manager/client-types.ts').BodyOf<Name>} BodyOf */

/**
 * @template {ManagerCall} Name
 * @typedef {object} Asked
 * @property {import('../../handlers/manager/client-types.ts').PathOf<Name>} [path]
 * @property {import('../../handlers/manager/client-types.ts').QueryOf<Name>} [query]
 * @property {BodyOf<Name> | string} [body] Text goes out as it is.
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} [signal]
 */

/**
 * An event of a stream; an answer that is no stream counts as one event, `message`.
 * @template {ManagerCall} Name
 * @typedef {TupleOf<import('../../handlers/manager/client-types.ts').EventsOf<Name>>
 *   | [type: 'message', data: AnswerOf<Name>]} StreamEvent
 */
/** @template Events @typedef {{ [Type in keyof Events]: [type: Type, data: Events[Type]] }[keyof Events]} TupleOf */

/** @typedef {ReturnType<typeof createApi>} Api */

/**
 * @param {{ getToken(): string, askForToken?(): Promise<string> }} deps `askForToken` is called when the service
 *   wants a token, or another one; it resolves with what was typed. Calls refused together ask once.
 */
export function createApi({ getToken, askForToken }) {
  /** @type {Promise<string> | undefined} */
  let asking;

  /**
   * @template {ManagerCall} Name
   * @param {Name} name @param {Asked<Name>} asked
   * @returns {Promise<Response>}
   */
  async function send(name, asked) {
    const token = getToken();
    const response = await fetch(addressOf(name, asked), requestOf(name, asked, token)).catch((error) => {
      if (asked.signal?.aborted) throw error;
      throw new ApiFailure({ code: 'unreachable', message: 'The manager does not answer.' });
    });
    if (response.status !== 401 || askForToken === undefined) return response;
    void response.body?.cancel();
    if (token === getToken()) {
      asking ??= askForToken().finally(() => {
        asking = undefined;
      });
      await asking;
    }
    return send(name, asked);
  }

  return {
    /**
     * @template {ManagerCall} Name
     * @param {Name} name Method and path, as in docs/api.md.
     * @param {Asked<Name>} [asked]
     * @returns {Promise<AnswerOf<Name>>}
     */
    async call(name, asked = {}) {
      const response = await send(name, asked);
      const body = await response.json().catch(() => ({}));
      if (response.ok && body.success !== false) return body;
      throw failureOf(response, body);
    },
    /**
     * Resolves when the stream has ended.
     * @template {ManagerCall} Name
     * @param {Name} name
     * @param {Asked<Name> & { onEvent(...event: StreamEvent<Name>): void }} asked
     */
    async stream(name, { onEvent, ...asked }) {
      const headers = { ...asked.headers, Accept: 'text/event-stream' };
      const response = await send(name, /** @type {Asked<Name>} */ ({ ...asked, headers }));
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      if (response.ok && isStream && response.body) {
        const read = /** @type {(type: string, data: unknown) => void} */ (onEvent);
        return await readEventStream(response.body, read).catch((error) => {
          if (asked.signal?.aborted) throw error;
          throw new ApiFailure({ code: 'unreachable', message: 'The connection to the manager broke.' });
        });
      }
      const body = await response.json().catch(() => ({}));
      if (!response.ok) throw failureOf(response, body);
      onEvent('message', body);
    },
  };
}

/**
 * @param {string} name
 * @param {{ path?: unknown, query?: unknown }} asked
 */
function addressOf(name, { path, query }) {
  const values = /** @type {Record<string, string>} */ (path ?? {});
  const address = name
    .slice(name.indexOf(' ') + 1)
    .replace(/\{(\w+)\}/g, (_, key) => encodeURIComponent(values[key] ?? ''));
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return given.length > 0 ? `${address}?${new URLSearchParams(given)}` : address;
}

/**
 * @param {string} name
 * @param {{ body?: unknown, headers?: Record<string, string>, signal?: AbortSignal }} asked
 * @param {string} token
 * @returns {RequestInit}
 */
function requestOf(name, { body, headers, signal }, token) {
  return {
    method: name.slice(0, name.indexOf(' ')),
    signal,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
  };
}

/** @param {Response} response @param {Partial<import('../../lib/openapi/failure-answers.ts').FailureFields>} body */
function failureOf(response, body) {
  return new ApiFailure({
    code: body.code ?? 'internal',
    message: body.error ?? `The manager answered with HTTP ${response.status}.`,
    status: response.status,
    details: body.details,
  });
}
