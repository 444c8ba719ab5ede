/**
 * Questions to clients that listen to no stream in this process. Each is held in its row until a process that has a
 * stream of the client claims it (`lib/mcp/updates/deliver-questions.ts`), and given up when none does.
 */
import type { Bus } from '../../events/bus.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { AwaitedAnswers } from './awaited-answers.ts';
import type { ClientRequestRows } from './client-request-rows.ts';

export interface UnreadQuestions {
  hold(question: { id: string; sessionId: string; text: string; unreadMs: number }): UnreadQuestion;
}

export interface UnreadQuestion {
  /** The client hears so, if it has it. @param notification raw text of the whole message. */
  takeBack(notification: string): void;
  /** It is answered, taken back or given up: nothing stays behind. */
  end(): void;
}

interface Dependencies {
  /** Absent: there is no other process, and a client that listens to none is not asked. */
  readonly rows: ClientRequestRows | undefined;
  readonly bus: Pick<Bus, 'publish'>;
  readonly answers: Pick<AwaitedAnswers, 'complete' | 'isWaiting'>;
}

/** Behind the time that a question is held: only what a process left that died is still there then. */
const graceSeconds = 5;
/** How long the client may be away and still hear that a question was taken back. */
const takenBackSeconds = 60;

const unread: RawAnswer = {
  error:
    '{"code":-32603,"message":"The client was not asked: it listens to no stream outside of its calls."}',
};
const unreachable: RawAnswer = {
  error: '{"code":-32603,"message":"The client was not asked: it cannot be found now."}',
};

export function createUnreadQuestions({ rows, bus, answers }: Dependencies): UnreadQuestions {
  return {
    hold({ id, sessionId, text, unreadMs }) {
      let isTakenBack = false;
      const tell = () => bus.publish({ type: 'client_request', name: sessionId });
      const held = rows?.hold(id, sessionId, text, unreadMs / 1000 + graceSeconds) ?? Promise.reject();
      const holding = held.then(tell, () => answers.complete(id, rows === undefined ? unread : unreachable));

      async function giveUp(): Promise<void> {
        await holding;
        const isUnread = (await rows?.withdraw(id).catch(() => false)) ?? true;
        if (isUnread) answers.complete(id, unread);
      }
      const timer = setTimeout(giveUp, unreadMs);

      return {
        takeBack(notification) {
          isTakenBack = true;
          const taking = holding.then(() => rows?.takeBack(id, notification, takenBackSeconds));
          taking.then((isLeased) => isLeased && tell()).catch(() => {});
        },
        end() {
          clearTimeout(timer);
          if (!isTakenBack) holding.then(() => rows?.remove(id)).catch(() => {});
        },
      };
    },
  };
}
