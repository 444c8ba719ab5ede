// @ts-check
// Follows `GET /api/events`: what changed, by name. A stream that breaks or falls silent is opened again with a
// growing pause; whoever listens fetches everything anew when it is live again.
import { readEventStream } from './event-stream.js';

const silenceMs = 45_000;
const [firstPauseMs, longestPauseMs] = [500, 10_000];

/** @typedef {{ type: string, name: string, etag?: string }} ServiceEvent */

/**
 * @param {{ getToken(): string, onEvent(event: ServiceEvent): void, onState(state: 'live' | 'lost'): void }} deps
 * @returns {{ close(): void }}
 */
export function createEvents({ getToken, onEvent, onState }) {
  let pauseMs = firstPauseMs;
  let connection = new AbortController();
  let isClosed = false;

  async function connect() {
    connection = new AbortController();
    const token = getToken();
    const response = await fetch('/api/events', {
      signal: connection.signal,
      headers: { Accept: 'text/event-stream', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    });
    if (!response.ok || !response.body) return;
    pauseMs = firstPauseMs;
    onState('live');
    const watch = createWatch(() => connection.abort());
    await readEventStream(response.body, (_, event) => onEvent(event), watch.touch).finally(watch.stop);
  }

  async function follow() {
    while (!isClosed) {
      await connect().catch(() => {});
      if (isClosed) return;
      onState('lost');
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  void follow();
  return {
    close() {
      isClosed = true;
      connection.abort();
    },
  };
}

/** The service sends a comment now and then; silence for longer means that nobody is there any more. */
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
