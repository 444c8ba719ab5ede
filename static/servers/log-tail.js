// @ts-check
// The server's output as it is written. New lines scroll into view only while the last one is in view already.
import { html, useAction, useEffect, useLayoutEffect, useRef, useState } from '../lib/html.js';
import { appendLines, emptyLog, pauseLog, resumeLog } from './log-buffer.js';

const [againMs, flushMs, quietMs] = [2_000, 50, 500];
const nearEndPx = 24;

/** @param {{ name: string, api: import('../lib/api.js').Api }} props */
export function LogTail({ name, api }) {
  const [log, setLog] = useState(emptyLog);
  const [isLive, setLive] = useState(false);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const isAtEnd = useRef(true);
  useEffect(() => follow(api, name, setLog, setLive), [name]);
  useLayoutEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [log.lines]);
  const onScroll = useAction(() => {
    const { scrollHeight, scrollTop, clientHeight } = /** @type {HTMLElement} */ (box.current);
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearEndPx;
  });
  const isPaused = log.held !== undefined;
  const state = isPaused ? `Paused, ${log.held?.length ?? 0} new` : isLive ? 'Live' : 'Connecting';
  return html`
    <section class="log" aria-label="Log">
      <div class="row">
        <h3>Log</h3>
        <small>${state}</small>
        <button type="button" class="small push" aria-pressed=${isPaused} onClick=${() => setLog(isPaused ? resumeLog : pauseLog)}>Pause</button>
      </div>
      <pre ref=${box} tabindex="0" role="log" aria-live="off" aria-label=${`Log of ${name}`} onScroll=${onScroll}>${
        log.lines.length > 0 ? log.lines.join('\n') : isLive ? 'Nothing written yet.' : ' '
      }</pre>
    </section>`;
}

/**
 * Each connection begins with the last lines, so it replaces those of an earlier connection. Lines of one frame are
 * drawn together.
 * @param {import('../lib/api.js').Api} api
 * @param {string} name
 * @param {(change: (log: import('./log-buffer.js').Log) => import('./log-buffer.js').Log) => void} setLog
 * @param {(isLive: boolean) => void} setLive
 */
function follow(api, name, setLog, setLive) {
  const leaving = new AbortController();
  /** @type {string[]} */
  let arrived = [];
  let isFresh = true;
  let flushTimer = 0;

  function flush() {
    const [lines, replaces] = [arrived, isFresh];
    [arrived, isFresh, flushTimer] = [[], false, 0];
    setLog((log) => appendLines(log, lines, replaces));
  }

  /** @param {string} line */
  function onLine(line) {
    setLive(true);
    arrived.push(line);
    flushTimer ||= window.setTimeout(flush, flushMs);
  }

  async function connect() {
    if (leaving.signal.aborted) return;
    isFresh = true;
    // A silent server sends no lines: the absence of a failure by now means that the stream is connected.
    const quiet = setTimeout(() => setLive(true), quietMs);
    const asked = { path: { name }, query: { follow: 'true' }, signal: leaving.signal };
    await api
      .stream('GET /api/servers/{name}/logs', {
        ...asked,
        onEvent: (_, data) => {
          if ('line' in data) onLine(data.line);
        },
      })
      .catch(() => {});
    clearTimeout(quiet);
    if (leaving.signal.aborted) return;
    setLive(false);
    setTimeout(connect, againMs);
  }

  void connect();
  return () => {
    leaving.abort();
    clearTimeout(flushTimer);
  };
}
