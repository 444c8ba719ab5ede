import { Failure } from '../../failure.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { Log } from '../../log.ts';
import { keepAliveMs } from '../../streams/bounded-stream.ts';
import { readLines } from '../../streams/lines.ts';
import { unavailable } from '../upstream-failures.ts';
import type { UpstreamRequest, Upstreams } from '../upstreams.ts';
import { parseRelayLine, relayPath } from './relay-lines.ts';

/**
 * Calls to servers whose connections another process has: the owner of the containers (docs/decisions/0009), or a manager
 * (docs/decisions/0029). Each call is one `POST /internal/calls` to that process, answered line by line; closing the
 * connection cancels the call. A call that certainly was not begun is sent once more, to the process found then; nothing
 * else is sent twice. A process that is silent for `silentMs` is suspended or out of reach: it says something every 15 s.
 */
export interface RemoteUpstreamsDependencies {
  /** Undefined while there is no such process. `useless`: the one found before, which does not answer. */
  readonly findOwner: (useless?: RelayOwner) => Promise<RelayOwner | undefined>;
  readonly fetch: typeof fetch;
  /** Why there is no such process. Continues "the server is unavailable: …". */
  readonly whyNobody?: () => Promise<string>;
  /** Why it does not answer, in the same form. */
  readonly whyAway?: string;
  readonly silentMs?: number;
  /** Told of each process that does not take calls, once for each reason: its address may be wrong for this machine. */
  readonly log: Pick<Log, 'warn'>;
}

export interface RelayOwner {
  /** Base address of its manager port, without a trailing slash. */
  readonly url: string;
  /** Proves that we share its database. Never logged, never shown. */
  readonly token: string;
}

export function createRemoteUpstreams(dependencies: RemoteUpstreamsDependencies): Pick<Upstreams, 'request'> {
  const {
    findOwner,
    whyNobody,
    whyAway = 'the process that looks after its container is away',
    silentMs = 2 * keepAliveMs + 5_000,
  } = dependencies;
  const report = createReport(dependencies.log);
  const away = ({ server }: UpstreamRequest) => unavailable(server, whyAway);
  const lost = ({ server }: UpstreamRequest) =>
    unavailable(server, 'the process that made the call is away; the call may or may not have run');

  async function exchange(request: UpstreamRequest, line: OpenLine): Promise<RawAnswer> {
    const post = (owner: RelayOwner) =>
      postCall(dependencies.fetch, owner, bodyOf(request), { signal: line.signal, report });
    const owner = await findOwner();
    let body = owner && (await line.ask(owner, post));
    const next = body === undefined ? await findOwner(owner) : undefined;
    body ??= next && (await line.ask(next, post));
    const isNobodys = owner === undefined && next === undefined;
    const whyNot = isNobodys ? await whyNobody?.() : undefined;
    if (body === undefined) throw whyNot === undefined ? away(request) : unavailable(request.server, whyNot);
    const answer = await readAnswer(body, request, line.heard);
    if (answer === undefined) throw lost(request);
    return answer;
  }

  return {
    async request(request) {
      const { signal } = request;
      if (signal.aborted) throw signal.reason;
      const line = openLine(silentMs);
      signal.addEventListener('abort', line.hangUp);
      try {
        return await exchange(request, line);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (error instanceof Failure) throw error;
        // For the calls that follow; what became of this one nobody knows.
        const owner = line.asked();
        if (owner !== undefined) report(owner, 'it was silent, or its connection broke');
        await findOwner(owner);
        throw lost(request);
      } finally {
        signal.removeEventListener('abort', line.hangUp);
        line.hangUp();
      }
    },
  };
}

/** The connection of one call, which ends when nothing is heard for too long. */
interface OpenLine {
  readonly signal: AbortSignal;
  ask<Answer>(owner: RelayOwner, post: (owner: RelayOwner) => Promise<Answer>): Promise<Answer>;
  /** The process asked last. */
  asked(): RelayOwner | undefined;
  heard(): void;
  hangUp(): void;
}

function openLine(silentMs: number): OpenLine {
  const ending = new AbortController();
  let asked: RelayOwner | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function hangUp(): void {
    clearTimeout(timer);
    ending.abort();
  }

  function heard(): void {
    clearTimeout(timer);
    timer = setTimeout(hangUp, silentMs);
  }

  return {
    signal: ending.signal,
    ask(owner, post) {
      asked = owner;
      heard();
      return post(owner);
    },
    asked: () => asked,
    heard,
    hangUp,
  };
}

/** The lines of the answer; undefined when the owner certainly did not begin with the call. */
async function postCall(
  fetch: RemoteUpstreamsDependencies['fetch'],
  owner: RelayOwner,
  body: string,
  { signal, report }: { readonly signal: AbortSignal; readonly report: Report },
): Promise<ReadableStream<Uint8Array> | undefined> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${owner.token}` };
  const response = await fetch(owner.url + relayPath, {
    method: 'POST',
    headers,
    body,
    signal,
    redirect: 'error',
  }).catch((error: unknown) => {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    report(owner, refusal);
    return undefined;
  });
  if (response?.ok && response.body) {
    report(owner, undefined);
    return response.body;
  }
  if (response !== undefined) report(owner, `status ${response.status}`);
  await response?.body?.cancel();
  return undefined;
}

/** @param reason Undefined: the process takes calls. */
type Report = (owner: RelayOwner, reason: string | undefined) => void;

/** Not of a process that began anew and has another token (401): it is found in the database. */
function createReport(log: RemoteUpstreamsDependencies['log']): Report {
  let told: string | undefined;
  return ({ url }, reason) => {
    if (reason === undefined) told = undefined;
    else if (reason !== 'status 401' && told !== url + reason) {
      told = url + reason;
      log.warn({ url, reason }, 'a process that should take calls of others does not');
    }
  };
}

/** Undefined when the lines end before the answer. Read to their end, so that the connection serves the next call. */
async function readAnswer(
  body: ReadableStream<Uint8Array>,
  { onProgress, clientChannel }: UpstreamRequest,
  onBytes: () => void,
): Promise<RawAnswer | undefined> {
  let isError: boolean | undefined;
  let answer: RawAnswer | undefined;
  let failure: Failure | undefined;
  try {
    for await (const text of readLines(body, onBytes)) {
      const line = parseRelayLine(text);
      if (line === undefined) continue;
      if ('answer' in line) answer = withIsError(line.answer, isError);
      else if ('failure' in line) failure = line.failure;
      else if ('isError' in line) isError = line.isError;
      else if ('progress' in line) onProgress?.(line.progress);
      else if ('message' in line) clientChannel?.notify(line.message);
      else clientChannel?.hangUp();
    }
  } catch (error) {
    if (answer === undefined && failure === undefined) throw error;
  }
  if (failure !== undefined) throw failure;
  return answer;
}

function withIsError(answer: RawAnswer, isError: boolean | undefined): RawAnswer {
  return isError === undefined || 'error' in answer ? answer : { ...answer, isError };
}

/** The owner replaces the progress token in `params` with its own. */
function bodyOf({ server, sessionId, method, params, onProgress, clientChannel }: UpstreamRequest): string {
  return JSON.stringify({
    server,
    session_id: sessionId,
    method,
    params: params(0),
    progress: onProgress !== undefined,
    messages: clientChannel !== undefined,
  });
}

/** Without a connection nothing was sent; after any other error the call may have arrived: undefined. */
function refusalOf(error: unknown): string | undefined {
  const { code } = (error instanceof Error ? (error.cause ?? {}) : {}) as { code?: unknown };
  return typeof code === 'string' && connectionRefusals.has(code) ? code : undefined;
}

const connectionRefusals = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
