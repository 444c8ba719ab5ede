/**
 * Asks clients for what servers want of them (mcp-spec rule 49): on the stream of the call that a server works on, or
 * outside of any call on a stream that the client listens to, in whichever process that is. The answer comes as a POST of
 * its own, in any process too.
 */

import type { CancelSignal } from '../../async/cancellation.ts';
import type { Bus } from '../../events/bus.ts';
import type { ResponseMessage } from '../../json-rpc/client-messages.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import { cancelledText, requestText } from '../../json-rpc/write.ts';
import type { Session } from '../sessions.ts';
import { createAwaitedAnswers, givenUp } from './awaited-answers.ts';
import { refusalOf } from './client-capabilities.ts';
import type { ClientRequestRows } from './client-request-rows.ts';
import { createUnreadQuestions, type UnreadQuestion } from './unread-questions.ts';

export interface ClientRequests {
  /**
   * Asks the client on the stream that `emit` writes to. Never rejects: a client that did not declare what this
   * needs is not asked, and the answer is then the error for the server. @param params raw JSON text.
   */
  ask(client: AskedClient, method: string, params: string, signal: CancelSignal): Promise<RawAnswer>;
  /** The same outside of any call: when nobody reads here, whoever has a stream of the client sends it. */
  askOutside(client: ListeningClient, question: Question): Promise<RawAnswer>;
  /**
   * An answer that this session's client posted. Only who asked this very session gets it; all others, and unknown
   * ids, are dropped. Rejects with `database_unavailable` when who waits for it could not be told.
   */
  take(session: Pick<Session, 'id'>, message: ResponseMessage): Promise<void>;
  close(): void;
}

type AskedSession = Pick<Session, 'id' | 'clientCapabilities' | 'protocolVersion'>;

export interface AskedClient {
  readonly session: AskedSession;
  readonly emit: (message: string) => void;
}

export interface ListeningClient {
  readonly session: AskedSession;
  /** Sends on a stream that the client listens to in this process; false: there is none. */
  readonly send: (message: string) => boolean;
}

export interface Question {
  readonly method: string;
  /** Raw JSON text. */
  readonly params: string;
  readonly signal: CancelSignal;
  /** For how long it waits for a stream of the client, ms. */
  readonly unreadMs: number;
}

export interface ClientRequestsOptions {
  /** Absent: there is no other process. */
  readonly rows?: ClientRequestRows;
  readonly bus: Pick<Bus, 'subscribe' | 'publish' | 'onGap'>;
  /** Not to be guessed: whoever knows an id could answer in the client's place. */
  readonly newId: () => string;
}

export function createClientRequests({ rows, bus, newId }: ClientRequestsOptions): ClientRequests {
  const answers = createAwaitedAnswers({ rows, bus });
  const unread = createUnreadQuestions({ rows, bus, answers });

  /** Resolves with the answer, or when `signal` is aborted: then `takeBack` has run. */
  function answerTo(id: string, session: AskedSession, signal: CancelSignal, takeBack: () => void) {
    const giveUp = () => {
      if (answers.isWaiting(id)) takeBack();
      answers.complete(id, givenUp);
    };
    signal.addEventListener('abort', giveUp);
    return answers.wait(id, session.id).finally(() => signal.removeEventListener('abort', giveUp));
  }

  /** At once, while the stream is there. Without its row it can still be answered here. */
  function noteSent(id: string, sessionId: string): () => void {
    const written = rows?.insert(id, sessionId).catch(() => {});
    return () => void written?.then(() => rows?.remove(id)).catch(() => {});
  }

  return {
    async ask({ session, emit }, method, params, signal) {
      const refusal = refusalOf(method, params, session);
      if (refusal !== undefined) return refusal;
      const id = newId();
      const answer = answerTo(id, session, signal, () => emit(cancelledText(quoted(id))));
      emit(requestText(quoted(id), method, params));
      return await answer.finally(noteSent(id, session.id));
    },

    async askOutside({ session, send }, { method, params, signal, unreadMs }) {
      const refusal = refusalOf(method, params, session);
      if (refusal !== undefined) return refusal;
      if (signal.aborted) return givenUp;
      const id = newId();
      const text = requestText(quoted(id), method, params);
      let question: UnreadQuestion | undefined;
      const answer = answerTo(id, session, signal, () => {
        if (question) question.takeBack(cancelledText(quoted(id)));
        else send(cancelledText(quoted(id)));
      });
      if (send(text)) return await answer.finally(noteSent(id, session.id));
      question = unread.hold({ id, sessionId: session.id, text, unreadMs });
      return await answer.finally(question.end);
    },

    async take(session, { id, text }) {
      if (typeof id === 'string') await answers.take(session.id, id, text);
    },

    close: answers.close,
  };
}

const quoted = (id: string) => `"${id}"`;
