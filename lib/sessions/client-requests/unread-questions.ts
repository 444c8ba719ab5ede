import type { Bus } from '../../events/bus.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { AwaitedAnswers } from './awaited-answers.ts';
import type { ClientRequestRows } from './client-request-rows.ts';
/**
 * Requests to clients that listen to no stream in this process. Each is stored in its row until a process that has a
 * stream of the client claims it (`lib/mcp/updates/deliver-questions.ts`), and given up when none does.
 */

export interface UnreadQuestions {
  store(question: { id: string; sessionId: string; text: string; unreadMs: number }): UnreadQuestion;
}

export interface UnreadQuestion {
  /** Notifies the client, if it was asked already. @param notification raw text of the whole message. */
  takeBack(notification: string): void;
  /** Answered, taken back or given up: removes the row. */
  end(): void;
}

interface Dependencies {
  /** Absent: there is no other process, and a client that listens to none is not asked. */
  readonly rows: ClientRequestRows | undefined;
  readonly bus: Pick<Bus, 'publish'>;
  readonly answers: Pick<AwaitedAnswers, 'complete' | 'isWaiting'>;
}

/** Added to the time that a request may wait: only rows of a process that died are still there then. */
const graceSeconds = 5;
/** How long the client may be away and still be notified that a request was taken back. */
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
    store({ id, sessionId, text, unreadMs }) {
      let isTakenBack = false;
      const publish = () => bus.publish({ type: 'client_request', name: sessionId });
      const stored =
        rows?.insertUnsent(id, sessionId, text, unreadMs / 1000 + graceSeconds) ?? Promise.reject();
      const storing = stored.then(publish, () =>
        answers.complete(id, rows === undefined ? unread : unreachable),
      );

      async function giveUp(): Promise<void> {
        await storing;
        const isUnread = (await rows?.withdraw(id).catch(() => false)) ?? true;
        if (isUnread) answers.complete(id, unread);
      }
      const timer = setTimeout(giveUp, unreadMs);

      return {
        takeBack(notification) {
          isTakenBack = true;
          const taking = storing.then(() => rows?.takeBack(id, notification, takenBackSeconds));
          taking.then((isSent) => isSent && publish()).catch(() => {});
        },
        end() {
          clearTimeout(timer);
          if (!isTakenBack) storing.then(() => rows?.remove(id)).catch(() => {});
        },
      };
    },
  };
}
