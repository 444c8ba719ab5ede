import type { Failure } from '../../failure.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { Log } from '../../log.ts';
import { keepAliveMs } from '../../streams/bounded-stream.ts';
import { createLineSplitter } from '../../streams/lines.ts';
import type { AnswerReader } from '../transports/http/node-answer-readers.ts';
import type { HttpExchange } from '../transports/http/node-http-connection.ts';
import { unavailable } from '../upstream-failures.ts';
import type { UpstreamRequest, Upstreams } from '../upstreams.ts';
import { parseRelayLine, type RelayLine } from './relay-lines.ts';

/**
 * Calls to servers whose connections another process has: the owner of the containers (docs/decisions/0009), or a manager
 * (docs/decisions/0029). Each call is one `POST /internal/calls` to that process, answered line by line; closing the
 * connection cancels the call. A call that certainly was not begun is sent once more, to the process found then; nothing
 * else is sent twice. A process that is silent for `silentMs` is suspended or out of reach: it says something every 15 s.
 */
export interface RemoteUpstreamsDependencies {
  /** Undefined while there is no such process. `useless`: the one found before, which does not answer. */
  readonly findOwner: (useless?: RelayOwner) => Promise<RelayOwner | undefined>;
  readonly send: SendCall;
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

/** Posts a call's body to a process. @throws Error when its address cannot be used. */
export type SendCall = (owner: RelayOwner, body: string, reader: AnswerReader) => HttpExchange;

const lost = 'the process that made the call is away; the call may or may not have run';

export function createRemoteUpstreams(dependencies: RemoteUpstreamsDependencies): Pick<Upstreams, 'request'> {
  const { findOwner, send, whyNobody, silentMs = 2 * keepAliveMs + 5_000 } = dependencies;
  const { whyAway = 'the process that looks after its container is away' } = dependencies;
  const report = createReport(dependencies.log);

  /** @returns undefined when the process certainly did not begin with the call. */
  async function ask(owner: RelayOwner, request: UpstreamRequest): Promise<RawAnswer | undefined> {
    const outcome = await exchange(owner, request, { send, silentMs });
    if ('answer' in outcome) {
      report(owner, undefined);
      return outcome.answer;
    }
    report(owner, 'refusal' in outcome ? outcome.refusal : 'it was silent, or its connection broke');
    if ('refusal' in outcome) return undefined;
    // For the calls that follow; what became of this one nobody knows.
    await findOwner(owner);
    throw unavailable(request.server, lost);
  }

  return {
    async request(request) {
      const owner = await findOwner();
      const answer = owner && (await ask(owner, request));
      if (answer !== undefined) return answer;
      const next = await findOwner(owner);
      const second = next && (await ask(next, request));
      if (second !== undefined) return second;
      const isNobodys = owner === undefined && next === undefined;
      throw unavailable(request.server, (isNobodys ? await whyNobody?.() : undefined) ?? whyAway);
    },
  };
}

type Outcome =
  | { readonly answer: RawAnswer }
  /** Why the process did not begin with the call. */
  | { readonly refusal: string }
  /** Nobody knows whether the call ran. */
  | { readonly isLost: true };

/** Rejects with the failure that the process answered, and with `signal.reason` when the call was cancelled. */
function exchange(
  owner: RelayOwner,
  request: UpstreamRequest,
  { send, silentMs }: Required<Pick<RemoteUpstreamsDependencies, 'send' | 'silentMs'>>,
): Promise<Outcome> {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    let status: number | undefined;
    let timer: ReturnType<typeof setTimeout>;
    const read = createCallReader(request, (line) => {
      signal.removeEventListener('abort', cancel);
      if ('failure' in line) reject(line.failure);
      else resolve(line);
    });

    function heard(): void {
      clearTimeout(timer);
      timer = setTimeout(giveUp, silentMs);
    }

    /** Nothing follows. Without effect once the answer was there. */
    function end(outcome: Outcome): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      resolve(outcome);
    }

    function giveUp(): void {
      posted?.abort();
      end({ isLost: true });
    }

    function cancel(): void {
      clearTimeout(timer);
      posted?.abort();
      reject(signal.reason);
    }

    const posted = tryToSend(send, owner, bodyOf(request), {
      onHead(head) {
        status = head.status;
      },
      onData(bytes) {
        heard();
        if (status === 200) read(bytes);
      },
      onEnd: () => end(status === 200 ? { isLost: true } : { refusal: `status ${status}` }),
      onError: ({ code = '' }) =>
        end(status === undefined && connectionRefusals.has(code) ? { refusal: code } : { isLost: true }),
    });
    if (posted === undefined) return resolve({ refusal: 'its address cannot be used' });
    signal.addEventListener('abort', cancel);
    heard();
  });
}

/** Undefined: the address cannot be used. */
function tryToSend(send: SendCall, ...call: Parameters<SendCall>): HttpExchange | undefined {
  try {
    return send(...call);
  } catch {
    return undefined;
  }
}

/** Without a connection nothing was sent; after any other error the call may have arrived. */
const connectionRefusals = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ETIMEDOUT',
]);

/** Passes on what comes while the call is under way. @param onOver Gets the last line. */
function createCallReader(
  { onProgress, clientChannel }: UpstreamRequest,
  onOver: (line: Extract<RelayLine, { answer: RawAnswer } | { failure: Failure }>) => void,
): (bytes: Uint8Array) => void {
  let isError: boolean | undefined;
  return createLineSplitter((text) => {
    const line = parseRelayLine(text);
    if (line === undefined) return;
    if ('answer' in line) onOver({ answer: withIsError(line.answer, isError) });
    else if ('failure' in line) onOver(line);
    else if ('isError' in line) isError = line.isError;
    else if ('progress' in line) onProgress?.(line.progress);
    else if ('message' in line) clientChannel?.notify(line.message);
    else clientChannel?.hangUp();
  });
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
