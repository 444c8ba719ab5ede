/**
 * The answers that somebody in this process waits for: who asked may be here, and the answer come to any other process,
 * which writes it into the question's row and tells so as news. News can be lost, so who waits also looks by itself once
 * in a while.
 */

import { pause } from '../../async/wait.ts';
import type { Bus } from '../../events/bus.ts';
import { memberText } from '../../json/raw-json.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { ClientRequestRows } from './client-request-rows.ts';

export interface AwaitedAnswers {
  /** The answer of this session's client to the question of this id; never rejects. */
  wait(id: string, sessionId: string): Promise<RawAnswer>;
  isWaiting(id: string): boolean;
  /** Ends the wait, if there is one. */
  complete(id: string, answer: RawAnswer): void;
  /**
   * A JSON-RPC response that this session's client posted. Only who asked this very session gets it; all others, and
   * unknown ids, are dropped. Rejects with `database_unavailable` when who waits for it could not be told.
   */
  take(sessionId: string, id: string, text: string): Promise<void>;
  close(): void;
}

export interface AwaitedAnswersOptions {
  /** Absent: there is no other process. */
  readonly rows: ClientRequestRows | undefined;
  readonly bus: Pick<Bus, 'subscribe' | 'publish' | 'onGap'>;
}

interface Waiting {
  readonly sessionId: string;
  resolve(answer: RawAnswer): void;
}

export const givenUp: RawAnswer = { error: '{"code":-32603,"message":"The request was cancelled."}' };

const lookEveryMs = 1000;
const rowLateMs = 250;

export function createAwaitedAnswers({ rows, bus }: AwaitedAnswersOptions): AwaitedAnswers {
  const waiting = new Map<string, Waiting>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function settle(id: string, answer: RawAnswer): void {
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

  const unsubscribe = bus.subscribe(({ type, name }) => {
    if (type === 'client_answer' && waiting.has(name)) void look([name]);
  });
  const ignoreGaps = bus.onGap(() => {
    if (waiting.size > 0) void look([...waiting.keys()]);
  });

  return {
    wait(id, sessionId) {
      if (rows !== undefined) timer ??= setInterval(() => look([...waiting.keys()]), lookEveryMs);
      return new Promise((resolve) => waiting.set(id, { sessionId, resolve }));
    },
    isWaiting: (id) => waiting.has(id),
    complete: settle,
    async take(sessionId, id, text) {
      const local = waiting.get(id);
      if (local?.sessionId === sessionId) settle(id, toAnswer(text));
      else if (await answerElsewhere(id, sessionId, text)) bus.publish({ type: 'client_answer', name: id });
    },
    close() {
      unsubscribe();
      ignoreGaps();
      for (const id of [...waiting.keys()]) settle(id, givenUp);
    },
  };
}

/** @param message a JSON-RPC response, checked when it came in. */
function toAnswer(message: string): RawAnswer {
  const result = memberText(message, 'result');
  return result === undefined ? { error: memberText(message, 'error') ?? '{}' } : { result };
}
