import { pause } from '../../async/wait.ts';
import type { Bus } from '../../events/bus.ts';
import { memberText } from '../../json/raw-json.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { ClientRequestRows } from './client-request-rows.ts';
/**
 * The answers of clients that this process waits for. An answer may be posted to another process, which writes it into the
 * request's row and publishes a bus message. Bus messages can be lost, so the rows are also polled.
 */

export interface AwaitedAnswers {
  /** The answer of this session's client to the request of this id; never rejects. */
  wait(id: string, sessionId: string): Promise<RawAnswer>;
  isWaiting(id: string): boolean;
  /** Ends the wait, if there is one. */
  complete(id: string, answer: RawAnswer): void;
  /**
   * A JSON-RPC response that this session's client posted. Answers to requests of other sessions and to unknown ids are
   * dropped. Rejects with `database_unavailable` when the process that waits cannot be notified.
   */
  receive(sessionId: string, id: string, text: string): Promise<void>;
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

const pollEveryMs = 1000;
const rowLateMs = 250;

export function createAwaitedAnswers({ rows, bus }: AwaitedAnswersOptions): AwaitedAnswers {
  const waiting = new Map<string, Waiting>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function complete(id: string, answer: RawAnswer): void {
    waiting.get(id)?.resolve(answer);
    waiting.delete(id);
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  /** While the database is away nothing is found, until the next poll. */
  async function poll(ids: readonly string[]): Promise<void> {
    const answered = (await rows?.takeAnswered(ids).catch(() => [])) ?? [];
    for (const { id, answer } of answered) complete(id, toAnswer(answer));
  }

  /** An answer may be faster than the row of its request, so the row is looked for twice. */
  async function answerElsewhere(id: string, sessionId: string, text: string): Promise<boolean> {
    if (rows === undefined) return false;
    if (await rows.answer(id, sessionId, text)) return true;
    await pause(rowLateMs);
    return await rows.answer(id, sessionId, text);
  }

  const unsubscribe = bus.subscribe(({ type, name }) => {
    if (type === 'client_answer' && waiting.has(name)) void poll([name]);
  });
  const unsubscribeFromGaps = bus.onGap(() => {
    if (waiting.size > 0) void poll([...waiting.keys()]);
  });

  return {
    wait(id, sessionId) {
      if (rows !== undefined) timer ??= setInterval(() => poll([...waiting.keys()]), pollEveryMs);
      return new Promise((resolve) => waiting.set(id, { sessionId, resolve }));
    },
    isWaiting: (id) => waiting.has(id),
    complete,
    async receive(sessionId, id, text) {
      const local = waiting.get(id);
      if (local?.sessionId === sessionId) complete(id, toAnswer(text));
      else if (await answerElsewhere(id, sessionId, text)) bus.publish({ type: 'client_answer', name: id });
    },
    close() {
      unsubscribe();
      unsubscribeFromGaps();
      for (const id of [...waiting.keys()]) complete(id, givenUp);
    },
  };
}

/** @param message a JSON-RPC response, checked when it came in. */
function toAnswer(message: string): RawAnswer {
  const result = memberText(message, 'result');
  return result === undefined ? { error: memberText(message, 'error') ?? '{}' } : { result };
}
