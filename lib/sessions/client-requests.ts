/**
 * Asks clients for what servers want of them, and finds the answers, which come as POSTs of their own on whichever
 * process (mcp-spec rule 49). Where the question was asked somebody waits; anywhere else the answer is written into
 * its row and told as news. News can be lost, so who waits also looks by itself once in a while.
 */

import type { Bus } from '../events/bus.ts';
import type { ResponseMessage } from '../mcp/message.ts';
import { memberText } from '../mcp/raw-json.ts';
import { pause } from '../pause.ts';
import type { CancelSignal, UpstreamAnswer } from '../upstreams/upstreams.ts';
import { refusalOf } from './client-capabilities.ts';
import type { ClientRequestRows } from './client-request-rows.ts';
import type { Session } from './sessions.ts';

export interface ClientRequests {
  /**
   * Asks the client on the stream that `emit` writes to. Never rejects: a client that did not declare what this
   * needs is not asked, and the answer is then the error for the server. @param params raw JSON text.
   */
  ask(client: AskedClient, method: string, params: string, signal: CancelSignal): Promise<UpstreamAnswer>;
  /**
   * An answer that this session's client posted. Only who asked this very session gets it; all others, and unknown
   * ids, are dropped. Rejects with `database_unavailable` when who waits for it could not be told.
   */
  take(session: Pick<Session, 'id'>, message: ResponseMessage): Promise<void>;
  close(): void;
}

export interface AskedClient {
  readonly session: Pick<Session, 'id' | 'clientCapabilities'>;
  readonly emit: (message: string) => void;
}

export interface ClientRequestsOptions {
  /** Absent: there is no other process. */
  readonly rows?: ClientRequestRows;
  readonly bus: Pick<Bus, 'subscribe' | 'publish' | 'onGap'>;
  /** Not to be guessed: whoever knows an id could answer in the client's place. */
  readonly newId: () => string;
}

interface Waiting {
  readonly sessionId: string;
  resolve(answer: UpstreamAnswer): void;
}

const lookEveryMs = 1000;
const rowLateMs = 250;
const givenUp: UpstreamAnswer = { error: '{"code":-32603,"message":"The request was cancelled."}' };

export function createClientRequests({ rows, bus, newId }: ClientRequestsOptions): ClientRequests {
  const waiting = new Map<string, Waiting>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function wait(id: string, sessionId: string): Promise<UpstreamAnswer> {
    if (rows !== undefined) timer ??= setInterval(() => look([...waiting.keys()]), lookEveryMs);
    return new Promise((resolve) => waiting.set(id, { sessionId, resolve }));
  }

  function settle(id: string, answer: UpstreamAnswer): void {
    waiting.get(id)?.resolve(answer);
    waiting.delete(id);
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  /** While the database is away there is nothing to be found, and the next look comes. */
  async function look(ids: readonly string[]): Promise<void> {
    const answered = (await rows?.takeAnswered(ids).catch(() => [])) ?? [];
    for (const { id, answer } of answered) settle(id, toAnswer(answer));
  }

  /** An answer may be faster than the row of its question, so one that is not found is looked for once more. */
  async function answerElsewhere(id: string, sessionId: string, text: string): Promise<boolean> {
    if (rows === undefined) return false;
    if (await rows.answer(id, sessionId, text)) return true;
    await pause(rowLateMs);
    return await rows.answer(id, sessionId, text);
  }

  const ignoreNews = bus.subscribe(({ type, name }) => {
    if (type === 'client_answer' && waiting.has(name)) void look([name]);
  });
  const ignoreGaps = bus.onGap(() => {
    if (waiting.size > 0) void look([...waiting.keys()]);
  });

  return {
    async ask({ session, emit }, method, params, signal) {
      const refusal = refusalOf(method, params, session.clientCapabilities);
      if (refusal !== undefined) return refusal;
      const id = newId();
      const answer = wait(id, session.id);
      const giveUp = () => {
        if (waiting.has(id)) emit(cancelledText(id));
        settle(id, givenUp);
      };
      signal.addEventListener('abort', giveUp);
      // At once, while the stream is there. Without its row it can still be answered here.
      emit(requestText(id, method, params));
      const written = rows?.insert(id, session.id).catch(() => {});
      return await answer.finally(() => {
        signal.removeEventListener('abort', giveUp);
        written?.then(() => rows?.remove(id)).catch(() => {});
      });
    },

    async take(session, { id, text }) {
      if (typeof id !== 'string') return;
      const local = waiting.get(id);
      if (local?.sessionId === session.id) settle(id, toAnswer(text));
      else if (await answerElsewhere(id, session.id, text)) bus.publish({ type: 'client_answer', name: id });
    },

    close() {
      ignoreNews();
      ignoreGaps();
      for (const id of [...waiting.keys()]) settle(id, givenUp);
    },
  };
}

/** @param message a JSON-RPC response, checked when it came in. */
function toAnswer(message: string): UpstreamAnswer {
  const result = memberText(message, 'result');
  return result === undefined ? { error: memberText(message, 'error') ?? '{}' } : { result };
}

function requestText(id: string, method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":"${id}","method":"${method}","params":${params}}`;
}

function cancelledText(id: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"${id}"}}`;
}
