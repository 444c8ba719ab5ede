// @ts-check
// Follows `GET /api/events`, which names what changed. A stream that breaks or falls silent is opened again after growing
// pauses; subscribers fetch everything anew when it is live again.
import { readEventStream } from './event-stream.js';

const silenceMs = 45_000;
const [firstPauseMs, longestPauseMs] = [500, 10_000];

/** @typedef {import('../../handlers/manager/system/answers.ts').ChangeEvent} ServiceEvent */

/**
 * @param {{ getToken(): string, onEvent(event: ServiceEvent): void, onState(state: 'live' | 'lost' | 'starting'): void }} deps
 * @returns {{ close(): void, retry(): void }} `retry` ends a pause at once, for what stood in the way is gone.
 */
export function createEvents({ getToken, onEvent, onState }) {
  let pauseMs = firstPauseMs;
  let connection = new AbortController();
  let isClosed = false;
  let endPause = () => {};

  /** What it was in the end. A manager that wants a token does answer. @returns {Promise<'lost' | 'starting'>} */
  async function connect() {
    connection = new AbortController();
    const token = getToken();
    const response = await fetch('/api/events', {
      signal: connection.signal,
      headers: { Accept: 'text/event-stream', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    });
    if (!response.ok || !response.body) {
      void response.body?.cancel();
      return response.status === 401 ? 'starting' : 'lost';
    }
    pauseMs = firstPauseMs;
    onState('live');
    const watch = createWatch(() => connection.abort());
    const take = (/** @type {string} */ _, /** @type {ServiceEvent} */ event) => onEvent(event);
    await readEventStream(response.body, take, watch.touch).finally(watch.stop);
    return 'lost';
  }

  async function follow() {
    while (!isClosed) {
      const state = await connect().catch(() => /** @type {const} */ ('lost'));
      if (isClosed) return;
      onState(state);
      /** @type {Promise<void>} */
      const pause = new Promise((resolve) => {
        endPause = resolve;
        setTimeout(resolve, pauseMs);
      });
      await pause;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  void follow();
  return {
    close() {
      isClosed = true;
      connection.abort();
    },
    retry() {
      pauseMs = firstPauseMs;
      endPause();
    },
  };
}

/** The service sends comments at intervals; a longer silence means that the connection is dead. */
function createWatch(/** @type {() => void} */ onSilence) {
  let timer = setTimeout(onSilence, silenceMs);
  return {
    touch() {
      clearTimeout(timer);
      timer = setTimeout(onSilence, silenceMs);
    },
    stop: () => clearTimeout(timer),
  };
}
