// @ts-check
// The client of the manager API. Answers resolve with their body; every failure is an ApiFailure with the service's own
// sentence. The caller stores the admin token.
import { readEventStream } from './event-stream.js';

export class ApiFailure extends Error {
  /** @param {{ code: string, message: string, status?: number, details?: any }} facts */
  constructor({ code, message, status = 0, details }) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/** `body`: text goes out as it is. @typedef {{ method?: string, body?: any, headers?: Record<string, string>, signal?: AbortSignal }} Call */
/** @typedef {ReturnType<typeof createApi>} Api */

/**
 * @param {{ getToken(): string, askForToken?(): Promise<string> }} deps `askForToken` is called when the service
 *   wants a token, or another one; it resolves with what was typed. Calls refused together ask once.
 */
export function createApi({ getToken, askForToken }) {
  /** @type {Promise<string> | undefined} */
  let asking;

  /** @param {string} path @param {Call} call @returns {Promise<Response>} */
  async function send(path, call) {
    const token = getToken();
    const response = await fetch(path, requestOf(call, token)).catch((error) => {
      if (call.signal?.aborted) throw error;
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
    return send(path, call);
  }

  /** @param {string} path @param {Call} [call] */
  async function request(path, call = {}) {
    const response = await send(path, call);
    const body = await response.json().catch(() => ({}));
    if (response.ok && body.success !== false) return body;
    throw failureOf(response, body);
  }

  return {
    /** @param {string} path */
    get: (path) => request(path),
    /** @param {string} path @param {any} [body] @param {Call} [more] */
    post: (path, body, more) => request(path, { ...more, method: 'POST', body }),
    /** @param {string} path @param {any} [body] @param {Record<string, string>} [headers] */
    put: (path, body, headers) => request(path, { method: 'PUT', body, headers }),
    /** @param {string} path @param {any} [body] */
    delete: (path, body) => request(path, { method: 'DELETE', body }),
    /**
     * Resolves when the stream has ended. An answer that is no stream counts as one event, `message`.
     * @param {string} path @param {Call & { onEvent(type: string, data: any): void }} call
     */
    async stream(path, { onEvent, ...call }) {
      const headers = { ...call.headers, Accept: 'text/event-stream' };
      const response = await send(path, { ...call, headers });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      if (response.ok && isStream && response.body) {
        return await readEventStream(response.body, onEvent).catch((error) => {
          if (call.signal?.aborted) throw error;
          throw new ApiFailure({ code: 'unreachable', message: 'The connection to the manager broke.' });
        });
      }
      const body = await response.json().catch(() => ({}));
      if (!response.ok) throw failureOf(response, body);
      onEvent('message', body);
    },
  };
}

/** @param {Call} call @param {string} token @returns {RequestInit} */
function requestOf({ method = 'GET', body, headers, signal }, token) {
  return {
    method,
    signal,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
  };
}

/** @param {Response} response @param {any} body */
function failureOf(response, body) {
  return new ApiFailure({
    code: body.code ?? 'internal',
    message: body.error ?? `The manager answered with HTTP ${response.status}.`,
    status: response.status,
    details: body.details,
  });
}
