import { pause } from '../../async/wait.ts';
import { initializeParams, requestText } from '../../json-rpc/write.ts';
import type { ContainerFacts } from '../containers.ts';

/**
 * Checks whether a server over HTTP answers MCP. An open port proves nothing: the engine's proxy accepts before the
 * server listens, and may then hang the very first request (docs/decisions/0009). So each attempt is a separate
 * `initialize` with a short limit, and the session that it opens is closed again.
 */
export interface ReadinessOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** Called for each attempt without an answer. */
  readonly onUnanswered?: (problem: Unanswered) => void;
}

/** The connection was refused; it brought no data; or the server answered with a server error. */
export type Unanswered = 'refused' | 'silent' | number;

const firstLimitMs = 500;
const longestLimitMs = 3000;
const pauseMs = 75;

/** Resolves at the first answer that is not a server error; rejects with `signal.reason`. */
export async function untilAnswers(options: ReadinessOptions): Promise<void> {
  const { signal } = options;
  for (let limitMs = firstLimitMs; ; limitMs = Math.min(limitMs * 1.5, longestLimitMs)) {
    signal.throwIfAborted();
    if (await answers(options, limitMs)) return;
    await pause(pauseMs);
  }
}

async function answers(options: ReadinessOptions, limitMs: number): Promise<boolean> {
  const { url, headers, fetch, signal, onUnanswered } = options;
  const attempt = new AbortController();
  const abort = () => attempt.abort();
  const timer = setTimeout(abort, limitMs);
  signal.addEventListener('abort', abort);
  const common = { signal: attempt.signal, redirect: 'manual' as const };
  try {
    const response = await fetch(url, {
      ...common,
      method: 'POST',
      headers: { ...headers, ...ours },
      body: initialize,
    });
    const sessionId = response.headers.get('mcp-session-id');
    await response.body?.cancel();
    if (response.status >= 500) onUnanswered?.(response.status);
    if (sessionId !== null) {
      const ending = { ...headers, 'mcp-session-id': sessionId };
      await fetch(url, { ...common, method: 'DELETE', headers: ending }).catch(() => {});
    }
    return response.status < 500;
  } catch {
    // The engine's proxy of a published port accepts the connection, and drops it when no process listens inside.
    if (!signal.aborted) onUnanswered?.(attempt.signal.aborted ? 'silent' : 'refused');
    return false;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

const ours = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const initialize = requestText(0, 'initialize', initializeParams({ name: 'svc-mcp-gateway', version: '0' }));

/** For a server in a container, whose port inside is shown. */
export function unansweredReason(
  problem: Unanswered,
  { port, exposedPorts = [] }: Pick<ContainerFacts, 'port' | 'exposedPorts'>,
): string {
  if (typeof problem === 'number') return `it answers with HTTP status ${problem}`;
  if (problem === 'silent')
    return `whatever listens on port ${port} in its container does not answer in HTTP`;
  const others = exposedPorts.filter((exposed) => exposed !== port);
  const hint = others.length > 0 ? `; its image exposes ${others.join(' and ')} (\`port\`)` : ' (`port`)';
  return `nothing listens on port ${port} in its container, or only on 127.0.0.1 there${hint}`;
}
